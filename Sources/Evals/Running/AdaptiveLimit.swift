/// The limit on samples in flight: it falls after the server refuses or is too slow, and grows slowly after answers.
///
/// Additive increase, multiplicative decrease: an answer adds 1/limit, so that a full round of answers adds one; a
/// refusal halves the limit, once for all requests that were in flight at that time.
///
/// Source: Chiu and Jain, Analysis of the Increase and Decrease Algorithms for Congestion Avoidance, Computer Networks
/// and ISDN Systems 17, 1989.
package struct AdaptiveLimit: Hashable, Sendable {
    /// Maximum of the limit.
    package private(set) var most: Int
    private var value: Double
    private let isAdaptive: Bool
    /// Time of the last decrease; refusals of requests that began earlier have the same cause.
    private var lastDecrease = -Double.infinity

    package init(most: Int, isAdaptive: Bool) {
        self.most = max(1, most)
        self.isAdaptive = isAdaptive
        value = Double(max(1, most))
    }

    /// The limit, 1 to `most`.
    package var count: Int { min(most, max(1, Int(value))) }

    /// Sets another maximum; if it grows, the limit starts there.
    package mutating func setMost(_ count: Int) {
        most = max(1, count)
        value = Double(most)
    }

    /// Notes an answer.
    package mutating func succeeded() {
        guard value < Double(most) else { return }
        value = min(Double(most), value + 1 / value)
    }

    /// Notes a refusal or a failure of the server.
    ///
    /// - Parameter start: Start of the refused request, on the clock of `now`.
    package mutating func failed(start: Double, now: Double) {
        guard isAdaptive, start >= lastDecrease else { return }
        lastDecrease = now
        value = max(1, Double(count) / 2)
    }
}
