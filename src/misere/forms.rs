//! Misère canonical forms of games and of their sums.
//!
//! Two games that may stand for each other in every sum have the same canonical form, and games of one form are here
//! one number. An option of a game H is reversible through G if G is one of its own options. If H has all options
//! of G and its others are all reversible through G, then H = G; with the proviso, if G has no options, that H must
//! be an N-position. What can't be simplified so is the canonical form, and equal games have the same one.
//!
//! Grundy and Smith, *Disjunctive games with the last player losing*, Proc. Camb. Phil. Soc. 52, 1956, pp. 527-533;
//! Conway, *On Numbers and Games*, 2nd ed. 2001, ch. 12; Siegel, *On the structure of misère impartial games*,
//! arXiv:2012.08554, section 2. A game added to itself is not 0 in general: of the Nim heaps only *1 + *1 is.
//!
//! Cost: a sum of two games takes all pairs of their followers.

use std::collections::HashMap;

/// A game up to misère equality, as the number of its canonical form.
pub type Form = u32;

/// The forms met so far.
#[derive(Debug)]
pub struct Forms {
    /// The options of each form, ascending.
    options: Vec<Box<[Form]>>,
    /// Whether each form is a P-position.
    losing: Vec<bool>,
    /// The size of the Nim heap that each form is, if it is one.
    nim_heaps: Vec<Option<u32>>,
    known: HashMap<Box<[Form]>, Form>,
    sums: HashMap<(Form, Form), Form>,
    /// How many more options may be stored.
    budget: usize,
}

impl Forms {
    /// The game without options.
    pub const END: Form = 0;
    /// The Nim heap of one.
    pub const ONE: Form = 1;

    /// The end and the Nim heap of one, and room for about `budget` options in all.
    pub fn new(budget: usize) -> Forms {
        let mut forms = Forms {
            options: Vec::new(),
            losing: Vec::new(),
            nim_heaps: Vec::new(),
            known: HashMap::new(),
            sums: HashMap::new(),
            budget,
        };
        forms.insert(Vec::new());
        forms.insert(vec![Forms::END]);
        forms
    }

    /// The form of the game with these options, or `None` if there is no room for it.
    pub fn of_options(&mut self, mut options: Vec<Form>) -> Option<Form> {
        options.sort_unstable();
        options.dedup();
        if let Some(simpler) = self.simpler(&options) {
            return Some(simpler);
        }
        if let Some(&form) = self.known.get(options.as_slice()) {
            return Some(form);
        }
        self.budget = self.budget.checked_sub(options.len())?;
        Some(self.insert(options))
    }

    fn insert(&mut self, options: Vec<Form>) -> Form {
        let form = self.options.len() as Form;
        let losing =
            !options.is_empty() && options.iter().all(|&option| !self.losing[option as usize]);
        // A heap of n has the heaps below n as its options, and they are forms of their own.
        let sizes = options
            .iter()
            .map(|&option| self.nim_heaps[option as usize]);
        let sizes: Option<Vec<u32>> = sizes.collect();
        let size = options.len() as u32;
        let is_heap = sizes.is_some_and(|sizes| sizes.iter().all(|&below| below < size));
        self.nim_heaps.push(is_heap.then_some(size));
        let options: Box<[Form]> = options.into();
        self.losing.push(losing);
        self.options.push(options.clone());
        self.known.insert(options, form);
        form
    }

    /// The size of the Nim heap that a form is, if it is one.
    pub fn nim_heap(&self, form: Form) -> Option<u32> {
        self.nim_heaps[form as usize]
    }

    /// The form that a game with these canonical options, ascending, is equal to by reversible options.
    ///
    /// Forms are numbered after their options. So the last option is not one of the simpler form, which has a lower
    /// number than an option that leads to it; hence it is reversible itself, and the form is one of its options.
    fn simpler(&self, options: &[Form]) -> Option<Form> {
        let through = &self.options[*options.last()? as usize];
        through.iter().copied().find(|&form| {
            let kept = &self.options[form as usize];
            let reversible = |option: &Form| self.options[*option as usize].binary_search(&form);
            let proviso =
                || form != Forms::END || options.iter().any(|&option| self.losing[option as usize]);
            // An option is neither one of its own options nor reversible through itself.
            kept.len() < options.len()
                && options.binary_search(&form).is_err()
                && kept.iter().all(|kept| options.binary_search(kept).is_ok())
                && options
                    .iter()
                    .all(|option| kept.binary_search(option).is_ok() || reversible(option).is_ok())
                && proviso()
        })
    }

    /// The form of the sum of two games; `None` if there is no room for it.
    pub fn sum(&mut self, a: Form, b: Form) -> Option<Form> {
        let mut stack = vec![ordered(a, b)];
        while let Some(&(a, b)) = stack.last() {
            let followers = self.options[a as usize].iter().map(|&a| ordered(a, b));
            let followers =
                followers.chain(self.options[b as usize].iter().map(|&b| ordered(a, b)));
            let before = stack.len();
            let mut options = Vec::new();
            for (a, b) in followers {
                match self.known_sum(a, b) {
                    Some(form) => options.push(form),
                    None => stack.push((a, b)),
                }
            }
            if stack.len() == before {
                stack.pop();
                self.budget = self.budget.checked_sub(1)?;
                let form = self.of_options(options)?;
                self.sums.insert((a, b), form);
            }
        }
        let (a, b) = ordered(a, b);
        self.known_sum(a, b)
    }

    fn known_sum(&self, a: Form, b: Form) -> Option<Form> {
        match a {
            Forms::END => Some(b),
            _ => self.sums.get(&(a, b)).copied(),
        }
    }
}

fn ordered(a: Form, b: Form) -> (Form, Form) {
    (a.min(b), a.max(b))
}
