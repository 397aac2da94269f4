import JSON
import LanguageModels

/// Reads damaged sources, again and again, and checks that what comes of them is whole.
///
/// A crash ends the program; the report lists traces that violate a guarantee of the model.
public enum TraceFuzzer {
    public struct Report: Hashable, Sendable {
        /// Damaged sources read.
        public var runs = 0
        /// Bytes of them.
        public var bytes = 0
        /// Objects that were still read.
        public var records = 0
        public var skipped = 0
        public var spans = 0
        public var messages = 0
        /// Promises broken, the first twenty: seed of the run, and which.
        public var violations: [String] = []

        public init() {}
    }

    /// Damages `bytes` in `count` ways, and reads each with the importer and then every text of what was read.
    ///
    /// - Parameter format: Format identifier of the importer.
    /// - Returns: `nil` for a format that is not known.
    public static func run(format: String, seed: UInt64, count: Int, on bytes: [UInt8]) -> Report? {
        guard let importer = TraceFormats.named(format) else { return nil }
        var report = Report()
        for number in 0..<count {
            let own = seed &+ UInt64(number) &* 0x9e37_79b9
            var mutation = ByteMutation(seed: own)
            read(mutation.mutated(bytes), with: importer, seed: own, &report)
        }
        return report
    }

    private static func read<Importer: TraceImporter>(
        _ bytes: [UInt8], with: Importer.Type, seed: UInt64, _ report: inout Report
    ) {
        report.runs += 1
        report.bytes += bytes.count
        _ = bytes.withUnsafeBufferPointer { Importer.recognizes($0) }
        var importer = Importer()
        var assembly = TraceAssembly(format: Importer.format)
        let input = RecordInput(bytes: bytes, monitor: SourceMonitor())
        var source = TraceSource(path: "fuzz.jsonl", id: 1, input: input, maximumRecordBytes: 256 << 10)
        do throws(ImportError) { try importer.read(&source, into: &assembly) } catch {
            note("reading ended with: \(error.sentence)", seed, &report)
        }
        report.records += source.records
        report.skipped += source.skipped
        let contents = Contents(bytes: bytes)
        for trace in assembly.traces {
            report.spans += trace.spans.count
            report.messages += trace.messages.count
            if let broken = TraceInvariants.violation(in: trace, bytes: bytes.count) { note(broken, seed, &report) }
            var summary = trace.summary
            summary.tally(trace)
            contents.readAll(trace, with: Importer.self)
        }
    }

    private static func note(_ violation: String, _ seed: UInt64, _ report: inout Report) {
        if report.violations.count < 20 { report.violations.append("seed \(seed): \(violation)") }
    }

    /// Reads the texts of a trace out of its source.
    private struct Contents {
        let bytes: [UInt8]
        let parser = JSONParser()

        func readAll<Importer: TraceImporter>(_ trace: Trace, with: Importer.Type) {
            for message in trace.messages {
                parse(message.record) { _ = Importer.message(message.index, of: $0) }
            }
            for event in trace.events {
                parse(event.record) { _ = Importer.sentence(of: event, record: $0) }
            }
            for span in trace.spans {
                guard let first = span.records.first, let last = span.records.last else { continue }
                let other = JSONParser()
                parse(first) { one in
                    parse(last, other) { _ = Importer.details(of: span, records: [one, $0]) }
                }
            }
        }

        private func parse(_ record: RecordReference, _ parser: JSONParser? = nil, _ body: (JSONNode) -> Void) {
            let range = record.offset..<(record.offset + record.length)
            guard range.upperBound <= bytes.count else { return }
            bytes[range].withUnsafeBufferPointer { piece in
                if let node = try? (parser ?? self.parser).parse(piece) { body(node) }
            }
        }
    }
}

/// What holds of every trace that an importer makes, however damaged its source.
package enum TraceInvariants {
    /// The first promise that a trace breaks; `nil` if it is whole. O(spans + messages + events).
    package static func violation(in trace: Trace, bytes: Int = .max) -> String? {
        let spans = trace.spans.count
        func isSpan(_ ordinal: Int?) -> Bool { ordinal.map { $0 >= 0 && $0 < spans } ?? true }
        func isInside(_ record: RecordReference) -> Bool {
            record.offset >= 0 && record.length >= 0 && record.offset + record.length <= bytes
        }
        for (place, span) in trace.spans.enumerated() {
            if span.ordinal != place { return "span \(place) has the ordinal \(span.ordinal)" }
            if !isSpan(span.parent) || span.parent == place { return "span \(place) has an invalid parent" }
            if let head = span.inputHead, head < 0 || head >= trace.messages.count {
                return "span \(place) refers to a missing message"
            }
            if span.start < 0 || (span.end ?? 0) < 0 { return "span \(place) is before 1970" }
            if !span.records.allSatisfy(isInside) { return "a record of span \(place) is outside the source" }
        }
        if let circle = firstInCircle(trace.spans) { return "span \(circle) is its own ancestor" }
        for (place, message) in trace.messages.enumerated() {
            if message.ordinal != place { return "message \(place) has the ordinal \(message.ordinal)" }
            if let previous = message.previous, previous < 0 || previous >= place {
                return "message \(place) follows a later one"
            }
            if !isSpan(message.span) { return "message \(place) has an invalid span" }
            if !isInside(message.record) { return "message \(place) is outside the source" }
        }
        for (place, event) in trace.events.enumerated() {
            if event.ordinal != place || !isSpan(event.span) { return "event \(place) is misplaced" }
            if !isInside(event.record) { return "event \(place) is outside the source" }
        }
        return nil
    }

    private static func firstInCircle(_ spans: [Span]) -> Int? {
        var walks = [Int](repeating: 0, count: spans.count)
        for start in spans.indices where walks[start] == 0 {
            var place: Int? = start
            while let here = place, walks[here] == 0 {
                walks[here] = start + 1
                place = spans[here].parent
            }
            if let here = place, walks[here] == start + 1 { return here }
        }
        return nil
    }
}
