public import System

/// A source that passes over rows without making them: what a resumed run needs to find its place.
///
/// Rows of other sources are read and dropped.
public protocol SkippingActivationSource: ActivationSource {
    /// Skips rows, so that `next(rows:)` continues after them.
    func skip(rows: Int) throws(Problem)
}

extension ActivationSource {
    /// Goes past rows that a run has had.
    func pass(rows: Int, atOnce: Int) throws(Problem) {
        if let skipping = self as? any SkippingActivationSource { return try skipping.skip(rows: rows) }
        var left = rows
        while left > 0 {
            _ = try next(rows: min(left, atOnce))
            left -= atOnce
        }
    }
}
