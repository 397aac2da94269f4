internal import Traces

/// A log whose samples are read one at a time.
protocol RecordLog: EvalLog {
    var path: String { get }
    /// Name of a sample in sentences.
    static var noun: String { get }
    /// What stands at its head by now.
    var head: EvalRun { get }

    /// Returns the sample with this index, with the head it was read under; `nil` if the index is out of range.
    func record(
        _ place: Int, _ isCancelled: () -> Bool
    ) throws(EvalLogError) -> (record: EvalSampleRecord, head: EvalRun)?
}

extension RecordLog {
    func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow] {
        var rows: [EvalRow] = []
        for place in range where place >= 0 {
            if isCancelled() { throw EvalLogError(path: path, problem: "cancelled", isCancellation: true) }
            do throws(EvalLogError) {
                guard let record = try record(place, isCancelled)?.record else { break }
                rows.append(record.row)
            } catch {
                // The others can be read.
                guard error.isOfOneLine else { throw error }
            }
        }
        return rows
    }

    func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord {
        guard index >= 0, let found = try record(index, { false }) else {
            throw EvalLogError(
                path: path, place: "\(Self.noun) \(index)", problem: "the \(Self.noun) is not in the log")
        }
        var record = found.record
        ConversationSpans.complete(&record, of: found.head)
        return record
    }

    func spans(of index: Int) throws(EvalLogError) -> [SpanRecord] {
        ConversationSpans.spans(try sample(index), of: head)
    }
}
