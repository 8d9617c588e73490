//! `quotient`: the misère quotient of a game, learnt and proved.

use super::interrupt;
use super::long_run::seconds;
use super::output::Output;
use super::shared_args::{EffortArgs, FormArgs, PlayedGameArgs, SearchArgs, heap};
use crate::analysis::HeapGame;
use crate::app::error::{Refused, advice, in_words, refuse};
use crate::app::report::QuotientReport;
use crate::app::report::style::note;
use crate::app::report::table::TableFormat;
use crate::certificate::Certificate;
use crate::error::Error;
use crate::misere::HeapQuotient;
use crate::misere::certificate::QuotientCertificate;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The most positions searched without `--positions`: five to ten seconds of work.
const POSITIONS: u64 = 1_500_000;

const EXAMPLES: &str = "\
Two sums of piles are the same element of the misère quotient if adding the same piles to both never changes which of
them is won. The elements of lost positions are its P-portion. Everything printed is proved. Letters stand for
generators: piles that are not equal to any sum of smaller piles.

Examples:
  nim-analyser quotient kayles
  nim-analyser quotient 0.07 24 --table
  nim-analyser quotient -g 0.75 --dot | dot -Tsvg > 0.75.svg
  nim-analyser quotient -g kayles --certificate kayles.json && nim-analyser verify kayles.json";

/// Find and prove the misère quotient of a game
///
/// Print its order, its P-portion, the element of each pile, generators and relations.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The game, where `-g` names none
    #[arg(value_name = "GAME", allow_negative_numbers = true)]
    word: Option<String>,
    /// Cover the piles to N: --piles N
    #[arg(value_name = "N", allow_negative_numbers = true)]
    last: Option<String>,
    #[command(flatten)]
    game: PlayedGameArgs,
    /// Cover the piles to N [default: until a period is proved, or as far as the limits allow]
    #[arg(long = "piles", alias = "heaps", value_name = "N", value_parser = heap)]
    heaps: Option<u64>,
    #[command(flatten)]
    search: SearchArgs,
    /// Stop after SECONDS and print what is proved by then
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    seconds: Option<Duration>,
    #[command(flatten)]
    effort: EffortArgs,
    /// Print how the quotient grows, pile by pile
    #[arg(long, conflicts_with_all = ["json", "dot"])]
    table: bool,
    /// Print a graph for Graphviz: which elements divide which, with mutual divisors in one box
    #[arg(long, conflicts_with = "json")]
    dot: bool,
    /// Write the rows of --table for a paper or a page
    #[arg(long, conflicts_with_all = ["json", "dot"])]
    format: Option<TableFormat>,
    /// Write a certificate of the proof to FILE, for `verify`; with - to standard output, and the report to standard error
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    form: FormArgs,
}

/// Learns the quotient and prints it.
///
/// # Errors
/// If the game can't be read, the piles asked for are out of reach (what is proved is printed first), or something
/// can't be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let words = [args.word.as_deref(), args.last.as_deref()];
    let (named, last) = args.game.named().and_number(words)?;
    if let (Some(piles), Some(last)) = (args.heaps, last) {
        refuse!("the last pile is given twice, by --piles {piles} and by the word `{last}`");
    }
    let last = last.or(args.heaps);
    let ruleset = named.ruleset()?;
    let certificate = args.certificate.as_deref();
    let certificate = certificate
        .map(|file| Output::open(Some(file)))
        .transpose()?;
    let effort = EffortArgs {
        time: args.seconds,
        ..args.effort.clone()
    };
    let effort = args.search.bound(effort.effort(), POSITIONS);
    let game = HeapGame::with_effort(ruleset, effort);
    let quotient = match last {
        Some(heaps) => game.misere_quotient(heaps),
        None => game.whole_misere_quotient(),
    };
    let quotient = match quotient {
        Err(Error::Interrupted) if !interrupt::received() => return Err(late(&game, 0).into()),
        quotient => quotient?,
    };
    let report = QuotientReport::new(game.ruleset(), &quotient, last);
    let text = |out: &mut dyn Write| match args {
        Args { dot: true, .. } => report.dot(out),
        Args {
            format: Some(format),
            ..
        } => report.written(*format, out),
        Args { table: true, .. } => report.table(out),
        _ => report.text(out),
    };
    args.form
        .print_beside(certificate.as_ref(), "quotient", &report, text)?;
    if let Some(certificate) = certificate {
        // What was learnt in time is proved once more for the certificate, also where no time is left.
        let effort = args.search.bound(args.effort.effort(), POSITIONS);
        let content = QuotientCertificate::new(game.ruleset(), &quotient, &effort)?;
        certificate.write(|out| Ok(content.write(out)?))?;
    }
    tell_end(args, &game, &quotient, last.is_some())?;
    Ok(ExitCode::SUCCESS)
}

/// The refusal of work that was interrupted without a signal, so that its time is up.
fn late(game: &HeapGame, heap: u64) -> Refused {
    Refused::Late {
        game: game.ruleset().name().to_owned(),
        heap,
    }
}

/// Says why the quotient covers no more piles, or how to ask for more. Fails if these piles were asked for.
fn tell_end(
    args: &Args,
    game: &HeapGame,
    quotient: &HeapQuotient,
    asked: bool,
) -> anyhow::Result<()> {
    let end = match &quotient.beyond {
        None => {
            let is_open = quotient.period().is_none() && quotient.firm_from().is_none();
            let code = game.ruleset().code().filter(|code| code.is_octal());
            let may_repeat = code.is_some_and(|code| code.most_taken().is_some());
            if !asked && is_open && may_repeat && !args.effort.quiet {
                let more = quotient.last_heap().saturating_mul(2);
                note(format_args!(
                    "help: no period is proved; --piles {more} asks for more piles"
                ));
            }
            return Ok(());
        }
        Some(Error::Interrupted) if !interrupt::received() => late(game, quotient.last_heap() + 1),
        Some(error) => Refused::Library(error.clone()),
    };
    if asked || end == Refused::Library(Error::Interrupted) {
        return Err(end.into());
    }
    if !args.effort.quiet {
        note(format_args!("{}", in_words(&end)));
        if let Refused::Library(error) = &end
            && let Some(advice) = advice(error)
        {
            note(format_args!("help: {advice}"));
        }
    }
    Ok(())
}
