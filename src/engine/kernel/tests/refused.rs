//! What would be read outside the slices is refused.

use super::*;

/// Whether a call is refused by a check, rather than done or failing in some other way.
pub fn refused(call: impl FnOnce()) -> bool {
    let call = std::panic::AssertUnwindSafe(call);
    let Err(panic) = std::panic::catch_unwind(call) else {
        return false;
    };
    let text = panic.downcast_ref::<&str>().copied().unwrap_or_default();
    text.contains("outside")
}

#[test]
fn what_lies_outside_is_refused_by_every_kernel() {
    let mut codes = vec![1; AT + LANES];
    for kernel in Kernel::available() {
        for (at, q) in [
            (AT, AT + 1),
            (AT + 1, 0),
            (usize::MAX, 0),
            (usize::MAX - 10, 1),
            (usize::MAX - LANES + 2, 1),
            (0, 1),
        ] {
            let entry = Entry::new(q, 0);
            let entries = Entries::from_iter([entry]);
            let source = Source {
                codes: &codes,
                mask: None,
                at,
            };
            let mut planes = [Lanes::ZERO; 2];
            let mut slots = [Lanes::ZERO; 2];
            assert!(
                refused(|| kernel.mark_options(&mut planes, source, &entries)),
                "{at} {q}"
            );
            assert!(
                refused(|| kernel.test(&mut slots, source, &entries)),
                "{at} {q}"
            );
            assert!(
                refused(|| _ = kernel.would_mark(&planes, source, entry)),
                "{at} {q}"
            );
            let block = Block {
                codes: &mut codes,
                mask: None,
                at,
            };
            assert!(
                refused(|| _ = kernel.settle(&slots, 0, block, &entries)),
                "{at} {q}"
            );
        }
        let source = Source {
            codes: &codes,
            mask: Some(&values_of(AT)),
            at: AT,
        };
        let entries = Entries::from_iter([Entry::new(1, 0)]);
        assert!(refused(|| kernel.mark_options(
            &mut [Lanes::ZERO; 2],
            source,
            &entries
        )));
        let (words, mut options) = ([1; 500], Halves::zeros(32 * WORDS));
        for (sum, firsts, row) in [
            (20, vec![21; 1], 32),
            (20, vec![21; 32], 32),
            (469, vec![0; 1], 32),
            (469, vec![0; 32], 32),
            (usize::MAX, vec![5; 32], 32),
            (700, vec![600; 32], 32),
            (20, vec![0; 33], 32),
            (20, vec![0; 1], 31),
            (20, vec![0; 1], 33),
        ] {
            let rows = (&mut options, row);
            assert!(
                refused(|| kernel.options_of_heaps(&words, sum, &firsts, rows)),
                "{sum}, {row}"
            );
        }
        for (sum, low, high) in [
            (usize::MAX, 0, 1),
            (AT + LANES, 0, 1),
            (10, 0, 12),
            (600, 300, 400),
        ] {
            assert!(
                refused(|| _ = kernel.scan(&codes, &[], sum, (low, high), 0)),
                "{sum}"
            );
        }
    }
}

fn values_of(len: usize) -> Vec<u8> {
    vec![0; len]
}

/// A heap that is its own option would change for ever.
#[test]
fn no_heap_is_its_own_option() {
    let entries = Entries::from_iter([Entry::new(3, 1u8), Entry::new(0, 0)]);
    for kernel in Kernel::available() {
        let mut codes = vec![0; AT + LANES];
        let block = Block {
            codes: &mut codes,
            mask: None,
            at: AT,
        };
        assert!(refused(
            || _ = kernel.settle(&[Lanes::ZERO; 2], 0, block, &entries)
        ));
    }
}
