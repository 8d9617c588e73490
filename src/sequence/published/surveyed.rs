//! The lines of the survey in `docs/survey`, which are part of the program.

use crate::sequence::survey::Record;
use flate2::read::GzDecoder;
use std::io::{BufRead, BufReader};

/// The files of the survey: the codes of up to four digits, and those of five.
const FILES: [&[u8]; 2] = [
    include_bytes!("../../../docs/survey/games.ndjson.gz"),
    include_bytes!("../../../docs/survey/five-digits.ndjson.gz"),
];

/// The records of the survey, shorter codes first.
pub fn records() -> impl Iterator<Item = Record> {
    lines().filter_map(|line| serde_json::from_str(&line).ok())
}

fn lines() -> impl Iterator<Item = String> {
    let files = FILES.into_iter().map(GzDecoder::new).map(BufReader::new);
    files.flat_map(|file| file.lines().map_while(Result::ok))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Code;
    use crate::sequence::survey::Status;
    use std::collections::HashMap;

    #[test]
    fn every_line_is_a_record_and_every_code_of_three_digits_has_one() {
        let records: Vec<Record> = records().collect();
        assert_eq!(records.len(), lines().count());
        let short = |record: &&Record| record.code.len() <= 5;
        assert_eq!(records.iter().filter(short).count(), 1024);
        let of = |code: &str| records.iter().find(|record| record.code == code).unwrap();
        let long = of("0.104"); // Flammenkamp; OEIS A071457
        assert_eq!(
            (long.status, long.period, long.last_exception),
            (Status::Proved, Some(11_770_282), Some(197_769_597))
        );
        assert_eq!(
            (of("0.106").status, of("0.106").period),
            (Status::Proved, Some(328_226_140_474))
        );
        assert_eq!(of("0.1745").preperiod, Some(171_646));
        assert_eq!(of("0.35106").period, Some(10_656_781));
    }

    /// The piles of a game are those of its standard form, shifted.
    #[test]
    fn lines_of_a_game_are_those_of_its_standard_form() {
        let records: HashMap<String, Record> = records()
            .map(|record| (record.code.clone(), record))
            .collect();
        let mut shifted = 0;
        for record in records.values() {
            let (form, shift) = match record.code.parse::<Code>().unwrap().standard_form() {
                Some(found) if found.1 > 0 => found,
                _ => continue,
            };
            // Those of five digits were computed apart.
            let form = form.to_string();
            let Some(form) = records.get(&form).filter(|form| form.code.len() <= 6) else {
                continue;
            };
            let code = &record.code;
            shifted += 1;
            assert_eq!(record.status, form.status, "{code}");
            assert_eq!(record.values, form.values + shift, "{code}");
            assert_eq!(
                (record.period, record.max),
                (form.period, form.max),
                "{code}"
            );
            let rares = record.rares.zip(form.rares);
            assert!(
                rares.is_none_or(|(own, of_form)| (of_form..=of_form + shift).contains(&own)),
                "{code}"
            );
            // With a preperiod of 0 in the standard form the game's own may be less than the shift.
            let late = form.preperiod.is_none_or(|preperiod| preperiod > 0);
            let piles = |of: &Record| {
                [
                    of.last_rare,
                    of.max_at.filter(|&pile| pile > 0),
                    of.preperiod.filter(|_| late),
                    of.last_exception.filter(|_| late),
                ]
            };
            for (own, of_form) in piles(record).into_iter().zip(piles(form)) {
                assert_eq!(own, of_form.map(|pile| pile + shift), "{code}");
            }
        }
        assert!(shifted > 400, "{shifted}");
    }
}
