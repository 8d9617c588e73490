//! Periods, quotients, lookups, and the checks of certificates.

use crate::fault::{OutOfReachError, refused};
use crate::game::Opened;
use crate::nim_values;
use crate::watch::{Turn, Watched, Watcher, at_work};
use nim_analyser::HeapGame;
use nim_analyser::app::commands::lookup::{STEPS, by_formulas, look_up};
use nim_analyser::app::commands::period::search_within_reach;
use nim_analyser::app::commands::verify::{quotient, table};
use nim_analyser::app::error::Refused;
use nim_analyser::app::report::{FoundReport, PeriodReport, QuotientReport, json};
use nim_analyser::certificate::{Certificate, kind_of};
use nim_analyser::engine::Effort;
use nim_analyser::error::Error;
use nim_analyser::misere::HeapQuotient;
use nim_analyser::misere::certificate::QuotientCertificate;
use nim_analyser::sequence::Sequence;
use nim_analyser::sequence::period::certificate::{Checked, TableCertificate};
use nim_analyser::sequence::period::segments::{Segments, Share};
use nim_analyser::sequence::period::{Finding, Proof, Theorem};
use nim_analyser::sequence::published;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// A report as JSON and as text.
type Report = (String, String);

/// What is written into memory, which never fails.
pub fn written<E: std::fmt::Debug>(write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("written into memory");
    String::from_utf8_lossy(&out).into_owned()
}

fn of_period(report: &PeriodReport) -> Report {
    let json = written(|out| json::line(out, "period", report));
    (json, written(|out| report.text(out)))
}

/// What a search for a period has found.
#[pyclass(frozen, module = "nim_analyser._native")]
pub struct Period {
    opened: Arc<Opened>,
    proof: Option<Proof>,
    #[pyo3(get)]
    json: String,
    #[pyo3(get)]
    text: String,
}

impl Period {
    /// Searches with the values to `limit` at most.
    pub fn find(
        py: Python<'_>,
        opened: &Arc<Opened>,
        limit: Option<u64>,
        watched: Watched,
    ) -> PyResult<Period> {
        let (proof, (json, text)) = opened.at_work(py, watched, |opened| search(opened, limit))?;
        Ok(Period {
            opened: Arc::clone(opened),
            proof,
            json,
            text,
        })
    }
}

/// Searches as the program does: by the window theorem too where the game has a sparse space, and beyond the memory of a
/// table in a window.
fn search(opened: &Opened, limit: Option<u64>) -> Result<(Option<Proof>, Report), Error> {
    let heaps = opened.heaps()?;
    let afresh = || Sequence::with_effort(heaps.ruleset().clone(), opened.effort.clone());
    // The values of the game stand in a table: it begins again if the search goes on in a window.
    let mut sequence = std::mem::replace(&mut *heaps.sequence(), afresh());
    let found = match (
        sequence.find_period_far(limit.unwrap_or(u64::MAX - 1)),
        limit,
    ) {
        (Ok(Some(found)), _) => Ok(found),
        (Err(error), _) if sequence.is_in_window() => Err(error),
        (Err(error @ Error::Interrupted), _) => Err(error),
        (Ok(None) | Err(_), None) => search_within_reach(&mut sequence, true),
        (Ok(None), Some(limit)) => sequence.find_period(limit),
        (Err(error), Some(_)) => Err(error),
    };
    let found = match found {
        Err(Error::Interrupted) if opened.watcher.is_late() => Ok(sequence.period_so_far()),
        Err(Error::OutOfReach { .. } | Error::Memory { .. }) if limit.is_none() => {
            Ok(sequence.period_so_far())
        }
        found => found,
    };
    let report = found.map(|found| {
        let report = of_period(&PeriodReport::new(&sequence, &found));
        match found {
            Finding::Proved(proof) => (Some(proof), report),
            _ => (None, report),
        }
    });
    if !sequence.is_in_window() {
        *heaps.sequence() = sequence;
    }
    report
}

#[pymethods]
impl Period {
    /// What a sceptic needs to check the proof, as JSON; none without a proof.
    fn certificate(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<Option<String>> {
        let Some(proof) = self.proof else {
            return Ok(None);
        };
        let watched = crate::game::watched(progress, None)?;
        self.opened
            .at_work(py, watched, |opened| {
                let heaps = opened.heaps()?;
                if proof.theorem == Theorem::Window {
                    let mut sequence =
                        Sequence::with_effort(heaps.ruleset().clone(), opened.effort.clone());
                    sequence.keep_window()?;
                    sequence.find_period(u64::MAX - 1)?;
                    let found = sequence.proof().copied();
                    let found = found.ok_or(Error::Forgotten { heap: proof.range })?;
                    let certificate = sequence.segments(&found)?;
                    Ok(written(|out| certificate.write(out)))
                } else {
                    let certificate = TableCertificate::new(&heaps.sequence(), &proof);
                    Ok(written(|out| certificate.write(out)))
                }
            })
            .map(Some)
    }
}

/// A proved misère quotient.
#[pyclass(frozen, module = "nim_analyser._native")]
pub struct Quotient {
    opened: Arc<Opened>,
    quotient: HeapQuotient,
    #[pyo3(get)]
    json: String,
    #[pyo3(get)]
    text: String,
}

impl Quotient {
    /// That of the heaps to one, or of as many as prove a period.
    pub fn find(
        py: Python<'_>,
        opened: &Arc<Opened>,
        heaps: Option<u64>,
        watched: Watched,
    ) -> PyResult<Quotient> {
        let found = opened.at_work(py, watched, |opened| {
            let game = opened.heaps()?;
            let mut quotient = match heaps {
                Some(heaps) => match game.misere_quotient(heaps)? {
                    // That of more heaps, which the game knows already, is another one.
                    more if more.last_heap() > heaps => {
                        let afresh =
                            HeapGame::with_effort(game.ruleset().clone(), opened.effort.clone());
                        afresh.misere_quotient(heaps)?
                    }
                    quotient => quotient,
                },
                None => game.whole_misere_quotient()?,
            };
            match quotient.beyond.take() {
                Some(Error::Interrupted) if !opened.watcher.is_late() => {
                    return Err(Error::Interrupted);
                }
                Some(Error::Interrupted) if heaps.is_some() => {
                    return Ok(Err(Refused::Late {
                        game: opened.game.name().to_owned(),
                        heap: quotient.last_heap() + 1,
                    }));
                }
                Some(error) if heaps.is_some() => return Err(error),
                _ => {}
            }
            let report = QuotientReport::new(game.ruleset(), &quotient, heaps);
            let json = written(|out| json::line(out, "quotient", &report));
            let text = written(|out| report.text(out));
            Ok(Ok((quotient, json, text)))
        })?;
        let late = |late: Refused| OutOfReachError::new_err(late.to_string());
        let (quotient, json, text) = found.map_err(late)?;
        Ok(Quotient {
            opened: Arc::clone(opened),
            quotient,
            json,
            text,
        })
    }
}

#[pymethods]
impl Quotient {
    /// What a sceptic needs to check it, as JSON.
    fn certificate(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<String> {
        let watched = crate::game::watched(progress, None)?;
        self.opened.at_work(py, watched, |opened| {
            let ruleset = opened.heaps()?.ruleset();
            let certificate = QuotientCertificate::new(ruleset, &self.quotient, &opened.effort)?;
            Ok(written(|out| certificate.write(out)))
        })
    }
}

/// What is known of a game.
pub fn lookup(opened: &Opened, bound: u64) -> Result<Report, Error> {
    let effort = opened.effort.clone();
    let report = look_up(&mut opened.heaps()?.sequence(), bound, effort, STEPS)?;
    let json = written(|out| json::line(out, "lookup", &report));
    Ok((json, written(|out| report.text(out))))
}

/// The games that have these values.
#[pyfunction]
pub fn games_with(
    py: Python<'_>,
    values: Vec<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Report> {
    let values = &nim_values(&values)?;
    let (turn, watcher) = (Turn::default(), Arc::<Watcher>::default());
    let watched = crate::game::watched(progress, None)?;
    let effort = Effort::default().watch(Arc::<Watcher>::clone(&watcher));
    at_work(py, (&turn, &watcher), watched, || {
        let games = published::games_with(values, by_formulas()?, &effort.steps(STEPS))?;
        let report = FoundReport::new(values, games);
        let json = written(|out| json::line(out, "matches", &report));
        Ok((json, written(|out| report.text(out))))
    })
}

/// What is said of a certificate that is right.
fn right(kind: &str, game: &str, mut figures: Value) -> Value {
    figures["kind"] = kind.into();
    figures["game"] = game.into();
    figures
}

/// Checks a certificate, and says as JSON what is right.
#[pyfunction]
pub fn verify(py: Python<'_>, text: &str, progress: Option<Py<PyAny>>) -> PyResult<String> {
    if text.len() as u64 > Segments::MOST_BYTES {
        return Err(refused("not a certificate: it is too long"));
    }
    let (turn, watcher) = (Turn::default(), Arc::<Watcher>::default());
    let watched = crate::game::watched(progress, None)?;
    let effort = Effort::default().watch(Arc::<Watcher>::clone(&watcher));
    let found = at_work(py, (&turn, &watcher), watched, || match &*kind_of(text) {
        QuotientCertificate::KIND => {
            let certificate = QuotientCertificate::read(text)?;
            let found = certificate.check(&effort, &())?;
            let figures = json!(quotient::Right::new(&certificate, found));
            Ok(right(QuotientCertificate::KIND, &certificate.game, figures))
        }
        Segments::KIND => {
            let certificate = Segments::read(text)?;
            let share = Share::all(certificate.claim()?);
            // Python's signals are answered by this thread alone.
            certificate.check(&effort.clone().threads(1), &share)?;
            let claim = share.claim();
            let (period, theorem) = (claim.period(), claim.theorem());
            let figures = json!({
                "segments": claim.count(), "period": period.period, "preperiod": period.preperiod,
                "saltus": period.saltus, "theorem": theorem.name(),
            });
            Ok(right(Segments::KIND, &certificate.game, figures))
        }
        _ => {
            let certificate = TableCertificate::read(text)?;
            let checked = Checked::usual(&certificate, 1);
            let proof = certificate.check(&effort, &checked)?;
            let figures = json!(table::Right::new(checked, &proof));
            Ok(right("period", &certificate.game, figures))
        }
    })?;
    Ok(found.to_string())
}
