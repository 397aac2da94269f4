package import Console
package import Workspace

extension Question {
    /// Asks before work is stopped.
    ///
    /// - Parameters:
    ///   - title: Name of the work: `eval gsm8k`, `train tiny`.
    ///   - progress: How far the work is: `1,388 of 16,800 samples (8.3 %)`; nil if unknown.
    ///   - remains: What stopping preserves, as a sentence: `Finished samples are saved.`
    ///   - value: Answer that stops the work.
    package static func stopping(
        _ title: String, progress: String?, remains: String? = nil, value: Value
    ) -> Question {
        let name = Escape.printable(title).truncated(toColumns: 44)
        return Question(
            "Stop \(name)?", lines: [progress.map { "Progress: \($0)." }, remains].compactMap(\.self),
            escape: "keep it running", [.init("s", "stop \(name)", value: value)])
    }
}

extension Job {
    /// Progress for people: `1,388 of 16,800 samples (8.3 %)`; nil before the first unit.
    var standing: String? {
        guard done > 0 else { return nil }
        let counts =
            unit == "bytes"
            ? (Format.bytes(Int(done)), total.map { Format.bytes(Int($0)) }, "")
            : (Format.count(Int(done)), total.map { Format.count(Int($0)) }, unit.isEmpty ? "" : " \(unit)")
        guard let total = counts.1, let fraction else { return counts.0 + counts.2 }
        return "\(counts.0) of \(total)\(counts.2) (\(Format.progress(fraction)))"
    }

    /// State for people, with the progress at which unfinished work ended: `cancelled at 8.3 %`.
    package var stateWords: String {
        guard !state.isActive, state != .done, let fraction, fraction < 1 else { return state.rawValue }
        return "\(state.rawValue) at \(Format.progress(fraction))"
    }

    /// Progress in a table: a share, or the number of units if the total is unknown.
    package var doneWords: String { fraction.map { Format.progress($0) } ?? Format.count(Int(done)) }
}
