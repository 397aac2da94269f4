internal import Glibc
public import Hashing

extension SplitMix64 {
    /// Returns a number from the standard normal distribution (Box and Muller, 1958, using one number of each pair).
    public mutating func nextNormal() -> Double {
        let radius = (-2 * log(1 - nextUnit())).squareRoot()
        return radius * cos(2 * Double.pi * nextUnit())
    }
}
