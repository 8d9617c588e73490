//! What the survey in `docs/survey` says; its lines are part of the program.

use crate::sequence::survey::Record;
use flate2::read::GzDecoder;
use std::io::{BufRead, BufReader};

/// The codes of up to four digits, and those of five.
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
    use crate::sequence::survey::Status;

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
        assert_eq!(of("0.1745").preperiod, Some(171_646));
        assert_eq!(of("0.35106").period, Some(10_656_781));
    }
}
