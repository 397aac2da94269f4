internal import Formatting
package import Workspace

extension Job {
    /// Readable progress, such as `1,388 of 16,800 samples (8.3 %)`; `nil` before the first unit.
    package var standing: String? {
        guard done > 0 else { return nil }
        let counts =
            unit == "bytes"
            ? (Format.bytes(Int(done)), total.map { Format.bytes(Int($0)) }, "")
            : (Format.count(Int(done)), total.map { Format.count(Int($0)) }, unit.isEmpty ? "" : " \(unit)")
        guard let total = counts.1, let fraction else { return counts.0 + counts.2 }
        return "\(counts.0) of \(total)\(counts.2) (\(Format.progress(fraction)))"
    }

    /// Readable state, with the progress at which unfinished work ended, such as `cancelled at 8.3 %`.
    package var stateWords: String {
        guard !state.isActive, state != .done, let fraction, fraction < 1 else { return state.rawValue }
        return "\(state.rawValue) at \(Format.progress(fraction))"
    }

    /// Progress in a table: a share, or the number of units if the total is unknown.
    package var doneWords: String { fraction.map { Format.progress($0) } ?? Format.count(Int(done)) }
}
