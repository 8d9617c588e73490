//! Nim multiplication: with it and the nim-sum the numbers below 2^64 are a field.
//!
//! The product of a and b is the mex of a'b ^ ab' ^ a'b' for all a' < a and b' < b (Conway, *On Numbers and Games*, ch. 6).
//! The Fermat powers F = 2, 4, 16, 256, …, 2^32 make it quick: the product of F and a smaller number is the usual one, and
//! F times F is F ^ F/2. So a number is cut into two halves, a F ^ b, and four products of halves are enough.
//!
//! Cost: a product is 4^6 products of bits at most. The simple twin is the definition, in the tests.

/// The nim product of two numbers.
///
/// ```
/// use nim_analyser::grundy::nim_product;
/// assert_eq!(nim_product(8, 9), 5);
/// assert_eq!(nim_product(1 << 32, 1 << 32), 3 << 31);
/// ```
pub fn nim_product(a: u64, b: u64) -> u64 {
    product(a, b, u64::BITS / 2)
}

/// The nim product of two numbers of at most twice as many bits as `half`, which is a power of 2, or 0 for numbers of one bit.
fn product(a: u64, b: u64, half: u32) -> u64 {
    if a < 2 || b < 2 || half == 0 {
        return a * b;
    }
    let low = (1 << half) - 1;
    let ([a1, a0], [b1, b0]) = ([a >> half, a & low], [b >> half, b & low]);
    let next = half / 2;
    let lows = product(a0, b0, next);
    let highs = product(a1, b1, next);
    let cross = product(a1 ^ a0, b1 ^ b0, next) ^ lows;
    cross << half ^ lows ^ product(highs, 1 << (half - 1), next)
}

/// The number whose nim product with `a` is 1; `None` for 0.
///
/// By Fermat's theorem it is the power 2^64 - 2 of `a`, for the field has 2^64 elements.
pub fn nim_inverse(a: u64) -> Option<u64> {
    let mut power = a;
    let mut inverse = 1;
    for _ in 1..u64::BITS {
        power = nim_product(power, power);
        inverse = nim_product(inverse, power);
    }
    (a > 0).then_some(inverse)
}

/// The number whose nim product with `b` is `a`; `None` if `b` is 0.
///
/// ```
/// use nim_analyser::grundy::nim_quotient;
/// assert_eq!(nim_quotient(5, 9), Some(8));
/// ```
pub fn nim_quotient(a: u64, b: u64) -> Option<u64> {
    nim_inverse(b).map(|inverse| nim_product(a, inverse))
}

/// The number whose nim product with itself is `a`: there is just one, as squaring 64 times changes nothing.
pub fn nim_sqrt(a: u64) -> u64 {
    (1..u64::BITS).fold(a, |power, _| nim_product(power, power))
}
