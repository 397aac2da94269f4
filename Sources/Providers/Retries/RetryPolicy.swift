/// When a request that failed is sent again: after a pause that doubles, drawn by lot.
///
/// The pause before the n-th retry is uniform in [0, min(longest, first · 2ⁿ⁻¹)), "full jitter", so that many callers
/// that failed together do not come back together. If the server requests a pause, it is that pause plus up to
/// `first` more.
///
/// Source: Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015; RFC 9110, section 10.2.3.
package struct RetryPolicy: Hashable, Sendable {
    package var retries: Int
    /// Seconds that the first pause is shorter than.
    package var first: Double
    /// Seconds that every pause is shorter than.
    package var longest: Double
    /// A server that wants a longer pause than this is not waited for.
    package var longestAsked: Double

    package init(retries: Int = 3, first: Double = 0.5, longest: Double = 20, longestAsked: Double = 60) {
        self.retries = retries
        self.first = first
        self.longest = longest
        self.longestAsked = longestAsked
    }

    /// Seconds to wait before a retry.
    ///
    /// - Parameters:
    ///   - retry: from 1.
    ///   - asked: what the server wants, in seconds.
    ///   - lot: in [0, 1).
    /// - Returns: `nil` if the request must not be sent again.
    package func pause(before retry: Int, asked: Double?, lot: Double) -> Double? {
        guard retry <= retries else { return nil }
        if let asked, asked > 0 {
            guard asked <= longestAsked else { return nil }
            return asked + lot * first
        }
        var limit = first
        for _ in 1..<max(1, retry) { limit = min(longest, limit * 2) }
        return lot * min(longest, limit)
    }

    /// Statuses of failures that may pass.
    package static func mayPass(status: Int) -> Bool {
        status == 408 || status == 409 || status == 429 || (500...599).contains(status)
    }
}
