//! A misère quotient, as text, as JSON, as a table of its growth, and as a graph of divisibility.

use crate::app::report::style::padded;
use crate::app::report::table::TableFormat;
use crate::misere::structure::divisibility;
use crate::misere::{Element, Growth, HeapQuotient, MiserePeriod, PERIOD_THEOREM, letter};
use crate::printable::joined;
use crate::ruleset::Ruleset;
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// How many names of elements are written in a row, and relations at most, for a person.
const ROW: usize = 10;
const WRITTEN: usize = 60;

/// How many rows of the piles' elements are written at most, for a person.
const ROWS: usize = 100;

/// The heads of the table of growth.
const HEADS: [&str; 4] = ["pile", "order", "P-portion", "element"];

/// The report of a quotient.
pub struct QuotientReport<'q> {
    ruleset: &'q Ruleset,
    quotient: &'q HeapQuotient,
    asked: Option<u64>,
}

#[derive(Serialize)]
struct Json<'q> {
    game: &'q str,
    code: Option<String>,
    /// The last heap covered.
    heaps: u64,
    /// The last heap asked for, if one was.
    asked: Option<u64>,
    order: usize,
    p_portion: Vec<Element>,
    elements: &'q [Element],
    /// The names of all elements.
    names: Vec<String>,
    generators: Vec<Generator>,
    relations: Vec<[String; 2]>,
    idempotents: Vec<Element>,
    kernel: Kernel,
    /// `tame` or `wild`.
    nature: &'static str,
    /// For a tame quotient the n of T(n), the quotient of the Nim heaps below 2^n.
    tame: Option<u32>,
    regular: bool,
    normal: bool,
    preperiod: Option<u64>,
    period: Option<u64>,
    theorem: Option<&'static str>,
    /// The first pile from which on all are tame and firm, if that is proved.
    firm_from: Option<u64>,
    /// How many pairs of elements the proof went through.
    pairs: usize,
    /// The figures of the quotient of pile 0, and of the piles up to each with which it grows.
    growth: &'q [Growth],
}

#[derive(Serialize)]
struct Generator {
    letter: String,
    heap: u64,
    element: Element,
}

#[derive(Serialize)]
struct Kernel {
    order: usize,
    identity: Element,
    elements: Vec<Element>,
    /// The orders of the cyclic groups that the kernel is the product of.
    group: Vec<u64>,
}

impl Serialize for QuotientReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let quotient = self.quotient;
        let kernel = quotient.kernel();
        let kind = quotient.kind();
        let period = quotient.period();
        let generators = quotient.generators().iter().enumerate();
        let report = Json {
            game: self.ruleset.name(),
            code: self.ruleset.code().map(ToString::to_string),
            heaps: quotient.last_heap(),
            asked: self.asked,
            order: quotient.monoid().order(),
            p_portion: quotient.p_portion(),
            elements: quotient.elements(),
            names: self.names(quotient.monoid().elements()),
            generators: generators
                .map(|(number, &heap)| Generator {
                    letter: letter(number),
                    heap,
                    element: quotient.elements()[heap as usize],
                })
                .collect(),
            relations: (quotient.relations())
                .map(|(word, element)| [word, quotient.name(element)])
                .collect(),
            idempotents: quotient.idempotents(),
            kernel: Kernel {
                order: kernel.elements.len(),
                identity: kernel.identity,
                elements: kernel.elements,
                group: kernel.factors,
            },
            nature: if kind.tame.is_some() { "tame" } else { "wild" },
            tame: kind.tame,
            regular: kind.regular,
            normal: kind.normal,
            preperiod: period.map(|found| found.preperiod),
            period: period.map(|found| found.period),
            theorem: period.map(|_| PERIOD_THEOREM),
            firm_from: quotient.firm_from(),
            pairs: quotient.pairs(),
            growth: quotient.growth(),
        };
        report.serialize(serializer)
    }
}

impl<'q> QuotientReport<'q> {
    /// The report of a quotient. `asked` is the last heap that was asked for, if one was.
    pub fn new(
        ruleset: &'q Ruleset,
        quotient: &'q HeapQuotient,
        asked: Option<u64>,
    ) -> QuotientReport<'q> {
        QuotientReport {
            ruleset,
            quotient,
            asked,
        }
    }

    /// Writes the whole report for a person.
    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let quotient = self.quotient;
        let (order, lost) = (quotient.monoid().order(), quotient.p_portion());
        writeln!(
            out,
            "Misère quotient of {}, {}",
            self.ruleset.name(),
            self.covered()
        )?;
        writeln!(out, "Order {order}, P-portion {}", lost.len())?;
        writeln!(out, "It is {}.", self.kind())?;
        match quotient.period() {
            Some(MiserePeriod { preperiod, period }) => {
                writeln!(
                    out,
                    "Elements of the piles: period {period}, preperiod {preperiod}."
                )?;
                writeln!(out, "Theorem: {PERIOD_THEOREM}.")?;
            }
            None => writeln!(out, "No period of the elements is proved by these piles.")?,
        }
        if let Some(heap) = quotient.firm_from() {
            writeln!(
                out,
                "From pile {heap} on all piles are tame and firm: each behaves as the Nim pile of its nim-value."
            )?;
        }
        writeln!(out, "\nGenerators:")?;
        for (number, heap) in quotient.generators().iter().enumerate() {
            writeln!(out, "  {} = pile {heap}", letter(number))?;
        }
        let relations = quotient.relations();
        let relations: Vec<String> = relations
            .map(|(word, element)| format!("{word} = {}", quotient.name(element)))
            .collect();
        list(out, "Relations", &relations)?;
        list(out, "P-portion", &self.names(lost))?;
        list(out, "Idempotents", &self.names(quotient.idempotents()))?;
        let kernel = quotient.kernel();
        let factors = kernel.factors.iter().map(|n| format!("Z{n}"));
        let group = match factors.len() {
            0 => "trivial".to_owned(),
            _ => joined(factors, " x "),
        };
        let identity = quotient.name(kernel.identity);
        let title = format!(
            "Kernel of order {}, group {group}, identity {identity}",
            kernel.elements.len()
        );
        list(out, &title, &self.names(kernel.elements))?;
        self.elements(out)
    }

    /// Writes the elements of the piles, some in each row, as far as a person reads them.
    fn elements(&self, out: &mut dyn Write) -> io::Result<()> {
        let quotient = self.quotient;
        writeln!(out, "\nElements of the piles:")?;
        let names = self.names(quotient.elements().iter().copied());
        let wide = names.iter().map(String::len).max().unwrap_or(0);
        let number = quotient.last_heap().to_string().len();
        for (row, names) in names.chunks(ROW).take(ROWS).enumerate() {
            let cells = joined(names.iter().map(|name| padded(name, wide)), "  ");
            let line = format!("  {:>number$}  {cells}", row * ROW);
            writeln!(out, "{}", line.trim_end())?;
        }
        match names.len().saturating_sub(ROWS * ROW) {
            0 => Ok(()),
            more => writeln!(out, "  … and {more} more (--table shows all)"),
        }
    }

    /// The order and the P-portion of the quotients of more and more piles.
    pub fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let [pile, order, lost, element] = HEADS;
        writeln!(out, "{pile}  {order}  {lost}  {element}")?;
        self.grown().try_for_each(|[heap, order, lost, name]| {
            writeln!(out, "{heap:>4}  {order:>5}  {lost:>9}  {name}")
        })
    }

    /// Writes the rows of [`QuotientReport::table`] as a table for papers and pages.
    pub fn written(&self, format: TableFormat, out: &mut dyn Write) -> io::Result<()> {
        format.begin(out, &HEADS)?;
        self.grown().try_for_each(|row| format.row(out, &row))?;
        format.end(out)
    }

    /// Each pile, the order and the P-portion of the quotient of the piles to it, and its element.
    fn grown(&self) -> impl Iterator<Item = [String; 4]> {
        let quotient = self.quotient;
        let ends = quotient.growth().iter().skip(1).map(|grown| grown.heap);
        let ends = ends.chain([quotient.elements().len() as u64]);
        (quotient.growth().iter().zip(ends)).flat_map(move |(grown, end)| {
            (grown.heap..end).map(move |heap| {
                let name = quotient.name(quotient.elements()[heap as usize]);
                let figures = [heap, grown.order as u64, grown.p_portion as u64];
                let [heap, order, lost] = figures.map(|figure| figure.to_string());
                [heap, order, lost, name]
            })
        })
    }

    /// The order of divisibility, as a graph: from each class of elements that divide one another to the next.
    pub fn dot(&self, out: &mut dyn Write) -> io::Result<()> {
        let quotient = self.quotient;
        let (classes, next) = divisibility(quotient.monoid());
        writeln!(
            out,
            "digraph \"misère quotient of {}\" {{",
            self.ruleset.name()
        )?;
        writeln!(out, "  node [shape=box]")?;
        for (number, class) in classes.iter().enumerate() {
            let name = |&element: &Element| {
                let lost = if quotient.monoid().is_lost(element) {
                    " P"
                } else {
                    ""
                };
                format!("{}{lost}", quotient.name(element))
            };
            let names = joined(class.iter().map(name), "\\n");
            writeln!(out, "  c{number} [label=\"{names}\"]")?;
        }
        for (number, next) in next.iter().enumerate() {
            for above in next {
                writeln!(out, "  c{number} -> c{above}")?;
            }
        }
        writeln!(out, "}}")
    }

    fn covered(&self) -> String {
        match self.quotient.period() {
            Some(_) => "all piles: proved".to_owned(),
            None => format!("piles to {}: proved", self.quotient.last_heap()),
        }
    }

    fn kind(&self) -> String {
        let kind = self.quotient.kind();
        match kind.tame {
            Some(0) => "tame: trivial".to_owned(),
            Some(n) => format!("tame: T({n}), that of the Nim piles below {}", 1u64 << n),
            None if kind.normal => {
                "wild and regular: in the kernel only the identity is lost, as in normal play"
                    .to_owned()
            }
            None if kind.regular => {
                "wild and regular: in the kernel one element is lost, not the identity".to_owned()
            }
            None => "wild and not regular: in the kernel not just one element is lost".to_owned(),
        }
    }

    fn names(&self, elements: impl IntoIterator<Item = Element>) -> Vec<String> {
        let elements = elements.into_iter();
        elements
            .map(|element| self.quotient.name(element))
            .collect()
    }
}

/// Writes a title and the first items of a list.
fn list(out: &mut dyn Write, title: &str, items: &[String]) -> io::Result<()> {
    let shown = &items[..items.len().min(WRITTEN)];
    let more = match items.len() - shown.len() {
        0 if items.is_empty() => "none".to_owned(),
        0 => String::new(),
        more => format!(" … and {more} more"),
    };
    writeln!(out, "{title}: {}{more}", shown.join(", "))
}
