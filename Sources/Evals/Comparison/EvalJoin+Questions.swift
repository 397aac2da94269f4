internal import EvalLogs

// Checks whether both runs have the same inputs, and whether their answers are copies.

extension EvalJoin {
    /// Number of input characters in a row; longer inputs are compared in the records.
    private static let rowCharacters = 200
    /// Maximum number of records to read, taken evenly from the samples that the rows do not settle.
    private static let mostRead = 200

    /// Returns whether the rows of a sample show different inputs in A and B; empty texts are ignored.
    func hasOtherRow(_ sample: Sample) -> Bool {
        let (one, other) = (rowsA[sample.a[0]].input, rowsB[sample.b[0]].input)
        return !one.isEmpty && !other.isEmpty && one != other
    }

    /// Returns how many joined samples have different inputs in B. If the runs differ in the prompt, the texts differ
    /// although the question is the same; then the sample's own fields decide, or its target if the runs record that.
    func otherQuestions(
        _ a: any EvalLog, _ b: any EvalLog, _ isCancelled: @Sendable () -> Bool
    ) throws(EvalLogError) -> (count: Int, isEstimated: Bool) {
        let isVariant = hasOtherPrompt
        let open = samples.filter { sample in
            let row = rowsA[sample.a[0]]
            return hasOtherRow(sample)
                || row.input.utf8.count >= Self.rowCharacters && row.input.count >= Self.rowCharacters
        }
        guard !open.isEmpty else { return (0, false) }
        let step = max(1, (open.count + Self.mostRead - 1) / Self.mostRead)
        var (read, found) = (0, 0)
        for place in stride(from: 0, to: open.count, by: step) {
            let sample = open[place]
            if isCancelled() {
                throw EvalLogError(
                    path: a.run.path ?? a.run.name, problem: "joining was canceled", isCancellation: true)
            }
            read += 1
            let (one, other) = (rowsA[sample.a[0]], rowsB[sample.b[0]])
            if isVariant {
                if one.target != other.target { found += 1 }
                continue
            }
            // An unreadable record says nothing about the others: the row decides.
            guard let first = try? a.sample(one.index), let second = try? b.sample(other.index) else {
                if hasOtherRow(sample) { found += 1 }
                continue
            }
            if !isSame(first, second) { found += 1 }
        }
        guard found > 0 else { return (0, false) }
        let count = Int((Double(found) / Double(read) * Double(open.count)).rounded())
        return (max(1, count), read < open.count)
    }

    private func isSame(_ one: EvalSampleRecord, _ other: EvalSampleRecord) -> Bool {
        if one.input == other.input, one.choices == other.choices { return true }
        // These formats store the row of the dataset, which no prompt changes.
        let keepsFields = ["orrery", "lm-eval"]
        guard keepsFields.contains(a.format), a.format == b.format, let fields = one.metadata else { return false }
        return fields == other.metadata
    }

    /// Whether the runs record different prompts.
    private var hasOtherPrompt: Bool {
        let names = ["prompt", "prompt version", "few-shot", "num_fewshot", "examples", "example seed"]
        func told(_ run: EvalRun, _ name: String) -> String? { run.settings.first { $0.name == name }?.value }
        return names.contains { told(a, $0) != told(b, $0) }
    }

    /// Whether A and B are the same run: of one location, with equal rows.
    var isOfOneRun: Bool {
        guard a.key == b.key, a.path == b.path, a.name == b.name, a.start == b.start, rowsA.count == rowsB.count
        else { return false }
        return zip(rowsA, rowsB).allSatisfy { one, other in
            one.id == other.id && one.epoch == other.epoch && one.outcome == other.outcome
                && one.answer == other.answer && one.seconds == other.seconds && one.wasCached == other.wasCached
                && zip(one.scores, other.scores).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }
        }
    }

    /// Returns whether all epochs of a sample have the same recorded answers in both runs.
    ///
    /// If the later run used the cache, equal texts are enough. A log that does not record this counts as a copy if
    /// texts, tokens, and seconds are equal and seconds are precise to less than a tenth of a millisecond.
    func isCopy(_ sample: Sample) -> Bool {
        guard sample.a.count == sample.b.count else { return false }
        // Only earlier answers can be reused; runs without a start time may be either.
        let (startA, startB) = (a.start ?? 0, b.start ?? 0)
        return zip(sample.a, sample.b).allSatisfy { first, second in
            let (one, other) = (rowsA[first], rowsB[second])
            guard one.answer == other.answer, one.epoch == other.epoch, one.tokens == other.tokens,
                one.outcome != .error, other.outcome != .error
            else { return false }
            if one.wasCached && other.wasCached { return true }
            if one.wasCached && startA >= startB || other.wasCached && startB >= startA { return true }
            guard let seconds = one.seconds, seconds == other.seconds, seconds.isFinite else { return false }
            let fine = seconds * 10_000
            return abs(fine - fine.rounded()) > 1e-6
        }
    }
}
