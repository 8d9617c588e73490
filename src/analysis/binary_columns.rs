//! Numbers under each other in binary, as the nim-sum is worked on paper.

use crate::grundy::{self, NimValue};
use crate::printable::joined;

/// The numbers in binary columns, how many 1s stand in each column, and the nim-sum: 1 where that number is odd.
pub fn binary_columns(values: &[NimValue]) -> Vec<String> {
    let sum = grundy::nim_sum(values.iter().copied());
    let largest = values.iter().copied().max().unwrap_or(0);
    let digits = (NimValue::BITS - largest.leading_zeros()).max(1);
    let ones: Vec<usize> = (0..digits)
        .rev()
        .map(|bit| values.iter().filter(|&value| value >> bit & 1 == 1).count())
        .collect();
    let cell = ones.iter().max().map_or(1, |most| most.to_string().len());
    let margin = largest.to_string().len().max(2);
    let line = |head: &str, cells: &[String]| {
        let cells = joined(cells.iter().map(|text| format!("{text:>cell$}")), " ");
        format!("  {head:>margin$}   {cells}")
    };
    let binary = |value: NimValue| {
        let bits: Vec<String> = (0..digits)
            .rev()
            .map(|bit| (value >> bit & 1).to_string())
            .collect();
        line(&value.to_string(), &bits)
    };
    let mut lines: Vec<String> = values.iter().map(|&value| binary(value)).collect();
    let width = margin + 3 + digits as usize * (cell + 1) - 1;
    lines.push(format!("  {}", "-".repeat(width)));
    let counts: Vec<String> = ones.iter().map(usize::to_string).collect();
    lines.push(format!("{}   number of 1s", line("1s", &counts)));
    lines.push(format!("{}   nim-sum", binary(sum)));
    lines
}

#[cfg(test)]
mod tests {
    use super::binary_columns;

    #[test]
    fn columns_stay_aligned_when_a_count_has_two_digits() {
        let lines = binary_columns(&[3; 10]);
        assert_eq!(lines[0], "   3    1  1");
        assert_eq!(lines[11], "  1s   10 10   number of 1s");
        assert_eq!(lines[12], "   0    0  0   nim-sum");
    }
}
