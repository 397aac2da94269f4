/// The exponential moving average that TensorBoard draws, point after point.
///
/// With weight w in [0, 1): m ← w m + (1 - w) x, shown is m / (1 - wⁿ) after n points, so that the curve does not begin
/// at zero (Kingma & Ba 2015, section 3, bias correction). Values that are not finite leave m and n alone.
public struct Smoothing: Sendable {
    private let weight: Double
    private var mean = 0.0
    /// wⁿ.
    private var power = 1.0

    /// - Parameter weight: of the past, 0 to below 1.
    public init(weight: Double) {
        self.weight = weight
    }

    /// Takes the next value.
    ///
    /// - Returns: the smoothed curve there; the value itself where it is not finite.
    public mutating func next(_ value: Double) -> Double {
        guard value.isFinite else { return value }
        mean = mean * weight + (1 - weight) * value
        power *= weight
        return mean / (1 - power)
    }
}

/// A curve smoothed point by point. O(n).
public func smoothed(_ values: [Double], weight: Double) -> [Double] {
    var smoothing = Smoothing(weight: weight)
    return values.map { smoothing.next($0) }
}
