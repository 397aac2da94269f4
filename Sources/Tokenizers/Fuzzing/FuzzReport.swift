/// Results of damaged inputs. The user of the fuzzer watches for crashes and unbounded memory.
package struct FuzzReport: Hashable, Sendable {
    package var runs = 0
    /// Answered with a sentence.
    package var refused = 0
    /// Read all the same.
    package var read = 0
    /// Promises that were broken, the first twenty: which, and of which run.
    package var violations: [String] = []

    package init() {}

    mutating func note(_ violation: String, of run: UInt64) {
        if violations.count < 20 { violations.append("\(violation) (run \(run))") }
    }
}
