//! What is asked about a position, whatever game it is of, and the answer.

use super::shared_args::{FormArgs, stdout};
use crate::analysis::Moves;
use crate::app::report;
use crate::game::Game;
use crate::outcome::Convention;
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
    /// Analyses the position and prints what was found.
    ///
    /// # Errors
    /// If the answer is out of reach or can't be written.
    pub fn answer(
        &self,
        game: &dyn Game,
        position: &[u64],
        convention: Convention,
    ) -> anyhow::Result<ExitCode> {
        let analysis = game.analyse(position, convention)?;
        let winning = game.winning_moves(&analysis);
        let winning: Moves<'_> = if self.all {
            winning
        } else {
            Box::new(winning.take(1))
        };
        let mut out = stdout();
        if self.form.json {
            report::json::analysis(&mut out, game, &analysis, winning)?;
        } else {
            report::text::analysis(&mut out, game, &analysis, winning)?;
            let own = analysis.basis.iter();
            let bases = own.chain(analysis.parts.iter().filter_map(|part| part.basis.as_ref()));
            for basis in bases {
                report::text::basis(&mut out, basis)?;
            }
            if self.explain {
                report::text::working(&mut out, &game.explain(&analysis)?)?;
            }
        }
        out.flush()?;
        let losing = self.exit_code && !analysis.outcome.is_winning();
        Ok(ExitCode::from(u8::from(losing)))
    }
}
