//! A share of some work: of the segments of a certificate, or of games, which are shared out by a hash of the standard form, so
//! that games that are computed together are in one share.

use std::env;
use std::str::FromStr;

/// The i-th of n shares of some work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of this share, counted from 0.
    index: u32,
    count: u32,
}

const FORM: &str = "a share is i/n with i from 1 to n, as in 3/16, or env/n";

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let (index, count) = text.split_once('/').ok_or(FORM)?;
        let count: u32 = count.parse().map_err(|_| FORM)?;
        let index: u32 = match index {
            "env" => from_environment(count, |name| env::var(name).ok())?,
            index => index.parse().map_err(|_| FORM)?,
        };
        match index.checked_sub(1).filter(|&index| index < count) {
            Some(index) => Ok(Shard { index, count }),
            None => Err(FORM.to_owned()),
        }
    }
}

/// The share that a job array gives this process, from 1.
fn from_environment(count: u32, value: impl Fn(&str) -> Option<String>) -> Result<u32, String> {
    for (name, first) in [("SLURM_ARRAY_TASK_ID", 1), ("JOB_COMPLETION_INDEX", 0)] {
        let Some(text) = value(name) else { continue };
        let index: Option<u32> = text.parse().ok();
        let share = index.and_then(|index| index.checked_add(1)?.checked_sub(first));
        return share
            .filter(|share| (1..=count).contains(share))
            .ok_or_else(|| {
                let last = u64::from(count) + u64::from(first) - 1;
                format!("{name} is {text}, and for {count} shares it is from {first} to {last}")
            });
    }
    Err(
        "neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set: this is not a job of an array"
            .to_owned(),
    )
}

impl Shard {
    /// The numbers of this share among the numbers from 0 to below `count`: every n-th of them, from the i-th on.
    pub fn of(self, count: u64) -> impl Iterator<Item = u64> {
        (self.index.into()..count).step_by(self.count as usize)
    }

    /// Whether a game is in this share, by the CRC-32 (as in gzip) of its standard form's code.
    pub fn has(&self, key: &str) -> bool {
        crc32fast::hash(key.as_bytes()) % self.count == self.index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_and_nonsense_is_not() {
        assert_eq!(
            "3/16".parse(),
            Ok(Shard {
                index: 2,
                count: 16
            })
        );
        for text in [
            "", "3", "0/4", "5/4", "1/0", "-1/4", "a/4", "1/4/4", "env/0",
        ] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_job_array_gives_the_share() {
        let set = |name: &'static str, text: &'static str| {
            move |asked: &str| (asked == name).then(|| text.to_owned())
        };
        let slurm = |text| from_environment(4, set("SLURM_ARRAY_TASK_ID", text));
        let kubernetes = |text| from_environment(4, set("JOB_COMPLETION_INDEX", text));
        assert_eq!((slurm("1"), slurm("4")), (Ok(1), Ok(4)));
        assert_eq!((kubernetes("0"), kubernetes("3")), (Ok(1), Ok(4)));
        for wrong in [
            slurm("0"),
            slurm("5"),
            slurm("x"),
            kubernetes("4"),
            kubernetes("4294967295"),
        ] {
            assert!(wrong.is_err());
        }
        assert!(from_environment(4, |_| None).is_err());
    }

    #[test]
    fn every_game_is_in_one_share() {
        for key in ["0.77", "0.137", "4!.0", ""] {
            let shards = (0..7).map(|index| Shard { index, count: 7 });
            assert_eq!(shards.filter(|shard| shard.has(key)).count(), 1);
        }
    }
}
