//! Prime factors and divisors of numbers of 64 bits, in less than a second for any of them.

/// The largest number whose cube has 64 bits: a number without a prime factor up to it is a product of two primes at most.
const CUBE_ROOT: u64 = 2_642_245;

/// The primes that divide a number, ascending, each once; none for 0 and 1.
pub fn prime_divisors(number: u64) -> Vec<u64> {
    let mut primes = prime_factors(number);
    primes.dedup();
    primes
}

/// The divisors of a number, ascending; none for 0.
pub fn divisors(number: u64) -> Vec<u64> {
    if number == 0 {
        return Vec::new();
    }
    let (mut all, mut before, mut known) = (vec![1], 1, 1);
    for prime in prime_factors(number) {
        // The same prime once more multiplies those only that the last one gave.
        if prime != before {
            (before, known) = (prime, all.len());
        }
        let last = all.len() - known;
        for at in last..all.len() {
            all.push(all[at] * prime);
        }
    }
    all.sort_unstable();
    all
}

/// The primes whose product a number is, ascending; none for 0 and 1.
fn prime_factors(number: u64) -> Vec<u64> {
    let (mut primes, mut rest, mut factor) = (Vec::new(), number, 2);
    while rest > 1 {
        if factor > rest / factor {
            primes.push(rest);
            break;
        }
        if factor > CUBE_ROOT {
            primes.extend(two_factors(rest).map_or(vec![rest], |(one, other)| vec![one, other]));
            break;
        }
        while rest.is_multiple_of(factor) {
            primes.push(factor);
            rest /= factor;
        }
        factor += 1 + u64::from(factor > 2);
    }
    primes
}

/// The two primes whose product a number is, smaller first, if it has no prime factor up to [`CUBE_ROOT`]; `None` if it is a
/// prime. By R. S. Lehman, *Factoring large integers*, Math. Comp. 28, 1974, pp. 637-646: for n = p·q with p ≤ q and
/// n/(r + 1) < p² there are k ≤ r and x with x² - 4kn a square, where x is √(4kn) at least and larger by √(n/k) / (4(r + 1))
/// at most.
fn two_factors(number: u64) -> Option<(u64, u64)> {
    let n = u128::from(number);
    let most = n / u128::from(CUBE_ROOT).pow(2);
    for k in 1..=most {
        let product = 4 * k * n;
        let root = product.isqrt();
        let larger = (n / k).isqrt() / (4 * (most + 1)) + 1;
        for x in root..=root + larger {
            let Some(square) = (x * x).checked_sub(product) else {
                continue;
            };
            let y = square.isqrt();
            if y * y == square {
                let one = gcd((x + y) as u64, number);
                if one > 1 && one < number {
                    let other = number / one;
                    return Some((one.min(other), one.max(other)));
                }
            }
        }
    }
    None
}

/// The greatest common divisor of two numbers; that of 0 and another number is the other.
pub fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_have_the_divisors_that_divide_them() {
        assert!(divisors(0).is_empty() && prime_divisors(0).is_empty());
        for number in 1..3000u64 {
            let divides = |divisor: &u64| number.is_multiple_of(*divisor);
            let all: Vec<u64> = (1..=number).filter(divides).collect();
            let is_prime = |&&divisor: &&u64| divisors(divisor).len() == 2;
            let primes: Vec<u64> = all.iter().filter(is_prime).copied().collect();
            assert_eq!(divisors(number), all);
            assert_eq!(prime_divisors(number), primes);
        }
    }

    #[test]
    fn large_numbers_are_factored() {
        // Around the cube root, the square root, and apart as far as two primes without a smaller one can be.
        for (p, q) in [
            (2_642_257, 2_642_257),
            (2_642_257, 2_642_287),
            (4_294_967_291, 4_294_967_291),
            (4_294_967_279, 4_294_967_291),
            (2_642_257, 6_981_434_460_643),
            (1_000_000_007, 18_446_743_937),
        ] {
            let [p, q]: [u64; 2] = [p, q];
            let mut primes = vec![p, q];
            primes.dedup();
            assert_eq!(prime_divisors(p * q), primes);
            let mut all = vec![1, p, q, p * q];
            all.dedup();
            assert_eq!(divisors(p * q), all);
        }
        for prime in [18_446_744_073_709_551_557, 100_000_000_000_000_003] {
            assert_eq!(divisors(prime), [1, prime]);
        }
        // 2⁶⁴ - 1.
        assert_eq!(
            prime_divisors(u64::MAX),
            [3, 5, 17, 257, 641, 65_537, 6_700_417]
        );
        assert_eq!(divisors(1 << 63).len(), 64);
        assert_eq!(prime_divisors(328_226_140_474), [2, 103, 4_523, 352_273]);
    }
}
