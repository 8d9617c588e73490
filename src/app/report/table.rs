//! Tables for papers and pages. Every cell is escaped as its format wants, so that any name may stand in one.

use std::io::{self, Write};

/// The formats of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum TableFormat {
    /// A tabular of LaTeX, which needs no package
    Latex,
    /// A table of Markdown, as GitHub and pandoc read it
    Markdown,
    /// Values with tabs between them, after a line of heads
    Tsv,
}

impl TableFormat {
    /// Writes the heads of the columns and what stands before them.
    pub fn begin(self, out: &mut dyn Write, heads: &[&str]) -> io::Result<()> {
        match self {
            TableFormat::Latex => {
                writeln!(out, "\\begin{{tabular}}{{{}}}", "r".repeat(heads.len()))?
            }
            TableFormat::Markdown | TableFormat::Tsv => {}
        }
        self.row(out, heads)?;
        match self {
            TableFormat::Latex => writeln!(out, "\\hline"),
            TableFormat::Markdown => writeln!(out, "|{}", " ---: |".repeat(heads.len())),
            TableFormat::Tsv => Ok(()),
        }
    }

    /// Writes a row, of as many cells as there are heads.
    pub fn row(self, out: &mut dyn Write, cells: &[impl AsRef<str>]) -> io::Result<()> {
        let cells = cells.iter().map(|cell| self.escaped(cell.as_ref()));
        let cells: Vec<String> = cells.collect();
        match self {
            TableFormat::Latex => writeln!(out, "{} \\\\", cells.join(" & ")),
            TableFormat::Markdown => writeln!(out, "| {} |", cells.join(" | ")),
            TableFormat::Tsv => writeln!(out, "{}", cells.join("\t")),
        }
    }

    /// Writes what stands behind the last row.
    pub fn end(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            TableFormat::Latex => writeln!(out, "\\end{{tabular}}"),
            TableFormat::Markdown | TableFormat::Tsv => Ok(()),
        }
    }

    /// A text written so that it is read as itself. Ends of lines become spaces, because a row is one line.
    pub fn escaped(self, text: &str) -> String {
        let mut escaped = String::with_capacity(text.len());
        for letter in text.chars() {
            match (self, letter) {
                (TableFormat::Tsv, '\t') | (_, '\n' | '\r') => escaped.push(' '),
                (TableFormat::Latex, '&' | '%' | '$' | '#' | '_' | '{' | '}') => {
                    escaped.extend(['\\', letter]);
                }
                (TableFormat::Latex, '\\') => escaped.push_str("\\textbackslash{}"),
                (TableFormat::Latex, '^') => escaped.push_str("\\textasciicircum{}"),
                (TableFormat::Latex, '~') => escaped.push_str("\\textasciitilde{}"),
                // At the beginning of a row a bracket would be read as the argument of the line end before.
                (TableFormat::Latex, '[' | ']') => escaped.extend(['{', letter, '}']),
                (TableFormat::Markdown, '|' | '\\' | '*' | '_' | '`' | '<' | '[' | ']' | '&') => {
                    escaped.extend(['\\', letter]);
                }
                _ => escaped.push(letter),
            }
        }
        escaped
    }
}

#[cfg(test)]
mod tests {
    use super::TableFormat::{Latex, Markdown, Tsv};

    #[test]
    fn what_a_format_would_take_for_its_own_is_escaped() {
        for (format, wanted) in [
            (
                Latex,
                "a\\textasciicircum{}2 \\& b\\_1 {[}3{]} 50\\% \\textbackslash{}|\t\\{",
            ),
            (Markdown, "a^2 \\& b\\_1 \\[3\\] 50% \\\\\\|\t{"),
            (Tsv, "a^2 & b_1 [3] 50% \\| {"),
        ] {
            assert_eq!(format.escaped("a^2 & b_1 [3] 50% \\|\t{"), wanted);
        }
        assert_eq!(Markdown.escaped("a\r\nb"), "a  b");
    }
}
