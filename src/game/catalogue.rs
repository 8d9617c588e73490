//! The games by name, and those that are not sums of heaps.

use super::{Moore, PokerNim, Staircase, Turning, TurningCoins, Wythoff, poker};
use crate::analysis::HeapGame;
use crate::engine::Effort;
use crate::error::Error;
use crate::game::Game;
use crate::ruleset::{NameError, spelling};

/// The game of a name from the catalogue or of a take-and-break code.
///
/// # Errors
/// If there is none of that name, or its code or parameter is bad.
///
/// ```
/// use nim_analyser::{Convention, Outcome, game::catalogue};
///
/// let game = catalogue::open("wythoff", Default::default())?;
/// let analysis = game.analyse(&game.start(vec![4, 7])?, Convention::Normal)?;
/// assert_eq!(analysis.outcome, Outcome::P);
/// # Ok::<(), nim_analyser::Error>(())
/// ```
pub fn open(name: &str, effort: Effort) -> Result<Box<dyn Game>, Error> {
    let name = &*spelling(name);
    let (family, parameter) = match name.split_once(':') {
        Some((family, parameter)) => (family, Some(parameter)),
        None => (name, None),
    };
    let number = |what, text: &str| {
        crate::position::number(text).map_err(|_| NameError::Parameter {
            name: name.to_owned(),
            what,
        })
    };
    if let Some(turning) = Turning::named(name) {
        return Ok(Box::new(TurningCoins::new(turning)));
    }
    Ok(match (family, parameter) {
        ("staircase" | "staircase-nim", None) => Box::new(Staircase),
        ("wythoff" | "wythoffs-game", None) => Box::new(Wythoff),
        ("poker-nim", None) => Box::new(PokerNim::new(poker::RESERVE)),
        ("poker-nim", Some(reserve)) => Box::new(PokerNim::new(number(
            "the stones in reserve, as in poker-nim:10",
            reserve,
        )?)),
        ("moore", None) => {
            return Err(Error::Game(NameError::Incomplete {
                family: family.to_owned(),
                what: "the most piles that a move may take from",
                example: "moore:2",
            }));
        }
        ("moore", Some(parameter)) => {
            const WHAT: &str = "the most piles that a move may take from, 1 or more, as in moore:2";
            let most = number(WHAT, parameter)?;
            let most = usize::try_from(most).ok().filter(|&most| most > 0);
            let most = most.ok_or(NameError::Parameter {
                name: name.to_owned(),
                what: WHAT,
            })?;
            Box::new(Moore::new(most))
        }
        _ => Box::new(HeapGame::with_effort(name.parse()?, effort)),
    })
}
