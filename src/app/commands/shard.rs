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
        let parts = text.split_once('/').filter(|_| !text.contains('+'));
        let (index, count) = parts.ok_or(FORM)?;
        let count: u32 = count.parse().map_err(|_| FORM)?;
        let index: u32 = match index {
            "env" => from_environment(count)?,
            index => index.parse().map_err(|_| FORM)?,
        };
        match index.checked_sub(1).filter(|&index| index < count) {
            Some(index) => Ok(Shard { index, count }),
            None => Err(FORM.to_owned()),
        }
    }
}

/// The share that a job array gives this process, from 1.
fn from_environment(count: u32) -> Result<u32, String> {
    for (name, first) in [("SLURM_ARRAY_TASK_ID", 1), ("JOB_COMPLETION_INDEX", 0)] {
        let Ok(text) = env::var(name) else { continue };
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
