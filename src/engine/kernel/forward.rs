//! How safe code calls what was compiled for one instruction set: through the proof that the processor has it.

/// The kernels of one instruction set as methods of the proof that the processor has it.
macro_rules! forward {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        impl Token {
            $(
                pub(super) fn $name(self, $($argument: $type),*) $(-> $result)? {
                    // SAFETY: a token exists only where detect() has found the features.
                    unsafe { self::$name($($argument),*) }
                }
            )*
        }
    };
}
