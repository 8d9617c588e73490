//! The options that say what is asked about a position of any game, and the answer.

use super::shared_args::{FormArgs, stdout};
use crate::analysis::{Analysis, Moves};
use crate::app::error::Refused;
use crate::app::report;
use crate::app::report::table::TableFormat;
use crate::game::Game;
use crate::outcome::Convention;
use std::io::Write;
use std::process::ExitCode;

/// What to say about a position.
#[derive(Clone, Debug, clap::Args)]
pub struct AnswerArgs {
    /// List every winning move, not just the first
    #[arg(short, long)]
    pub all: bool,
    /// Show the working: options, nim-values, mex, and the nim-sum in binary columns
    #[arg(short, long, conflicts_with = "json")]
    pub explain: bool,
    #[command(flatten)]
    pub form: FormArgs,
    /// Exit with 1 for a losing position, 0 for a winning one
    #[arg(long)]
    pub exit_code: bool,
}

impl AnswerArgs {
    /// Analyses the position and prints what was found, or the working alone as a table.
    pub fn answer(
        &self,
        game: &dyn Game,
        position: &[u64],
        convention: Convention,
        table: Option<TableFormat>,
    ) -> anyhow::Result<ExitCode> {
        let analysis = game.analyse(position, convention)?;
        let winning = || self.shown(game.winning_moves(&analysis));
        let mut out = stdout();
        if let Some(format) = table {
            working(&mut out, game, &analysis, format)?;
        } else if self.form.json {
            report::json::analysis(&mut out, game, &analysis, winning())?;
        } else {
            report::text::analysis(&mut out, game, &analysis, winning())?;
            if self.explain {
                report::text::working(&mut out, &game.explain(&analysis)?)?;
            }
        }
        out.flush()?;
        Ok(self.exit_code(&analysis))
    }

    /// The winning moves that are to be shown: all of them if that is asked for, else the first.
    pub fn shown<'m>(&self, winning: Moves<'m>) -> Moves<'m> {
        match self.all {
            true => winning,
            false => Box::new(winning.take(1)),
        }
    }

    fn exit_code(&self, analysis: &Analysis) -> ExitCode {
        let losing = self.exit_code && !analysis.outcome.is_winning();
        ExitCode::from(u8::from(losing))
    }
}

/// The working as a table: the piles of each part with their nim-values, and the nim-sum.
///
/// # Errors
/// If the outcome doesn't rest on nim-values, or the table can't be written.
fn working(
    out: &mut dyn Write,
    game: &dyn Game,
    analysis: &Analysis,
    format: TableFormat,
) -> anyhow::Result<()> {
    let parts: Vec<(&dyn Game, &Analysis)> = match analysis.parts.is_empty() {
        true => vec![(game, analysis)],
        false => game
            .parts()
            .iter()
            .map(|part| &**part)
            .zip(&analysis.parts)
            .collect(),
    };
    let refused = || {
        let text = "the outcome does not rest on nim-values, so there is no table of them; --explain without --format shows the working";
        Refused::Usage(text.to_owned())
    };
    let mut rows = Vec::new();
    for (part, found) in &parts {
        let label = |pile: &u64| {
            part.label(*pile)
                .map_or_else(|| pile.to_string(), str::to_owned)
        };
        let named = |text: String| match parts.len() {
            1 => text,
            _ => format!("{} {text}", part.name()),
        };
        match (&found.nim_values, found.nim_sum) {
            (Some(values), _) if values.len() == found.piles.len() => {
                let piles = found.piles.iter().map(|pile| named(label(pile)));
                rows.extend(piles.zip(values.iter().copied()));
            }
            (_, Some(sum)) => rows.push((named(part.shown(&found.piles)), sum)),
            _ => return Err(refused().into()),
        }
    }
    let sum = analysis.nim_sum.ok_or_else(refused)?;
    let largest = rows.iter().map(|row| row.1).max().unwrap_or(0);
    let width = format!("{largest:b}").len();
    format.begin(out, &["pile", "nim-value", "binary"])?;
    rows.push(("nim-sum".to_owned(), sum));
    for (pile, value) in rows {
        format.row(out, &[pile, value.to_string(), format!("{value:0width$b}")])?;
    }
    Ok(format.end(out)?)
}
