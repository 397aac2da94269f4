/// Reads what `perf stat -x,` prints: counters of a whole program, or of intervals of it (`-I`).
///
/// Fields are value, unit, event, run time, share of it in percent, metric and its unit; there are no quotes.
/// `<not supported>` and `<not counted>` are missing figures. A counter that shared its register with others ran only a
/// part of the time: what it shows is scaled up, and an estimate.
struct PerfStatImporter: ProfileImporter {
    static let format = "perf-stat"
    static let tool = "perf stat"
    static let recipe = "perf stat -x, -o FILE.csv -e cycles,instructions,duration_time PROGRAM"

    init(options: ProfileImportOptions) {}

    static func recognizes(_ head: [UInt8]) -> Bool {
        for line in head.split(separator: 0x0A).prefix(64) {
            let text = String(decoding: line.prefix(512), as: UTF8.self)
            if text.hasPrefix("#") || text.allSatisfy(\.isWhitespace) { continue }
            return PerfStatLine(text) != nil
        }
        return false
    }

    mutating func read(_ source: ProfileSource, into sink: ProfileSink) throws {
        let reader = try CSVReader(source, quoting: false)
        var intervals: [(time: Double?, events: [PerfStatLine])] = []
        while try !reader.atEnd() {
            let number = reader.line
            let bytes = try reader.peekLine(4_096)
            try reader.skipLine()
            let text = String(decoding: bytes, as: UTF8.self)
            if text.hasPrefix("#") {
                if sink.title == nil, text.contains("started on") { sink.title = "perf stat, " + text.dropFirst(2) }
                continue
            }
            if text.allSatisfy(\.isWhitespace) { continue }
            guard let line = PerfStatLine(text) else {
                throw source.error(
                    line: number, "expected value, unit, and event",
                    "Use perf stat -x, without -A or --per-core.")
            }
            if intervals.isEmpty || intervals[intervals.count - 1].time != line.time {
                guard intervals.count < ProfileSink.mostLaunches else { break }
                intervals.append((line.time, []))
            }
            intervals[intervals.count - 1].events.append(line)
            guard intervals[intervals.count - 1].events.count <= 65_536 else {
                throw source.error(line: number, "the file has too many counters", "Collect fewer events.")
            }
        }
        let device = try sink.device("cpu", name: "CPU")
        var before = 0.0
        for interval in intervals {
            var launch = Launch(
                ordinal: 0, name: interval.time == nil ? "whole program" : "interval", device: device)
            if let time = interval.time {
                launch.start = before
                launch.duration = time > before ? time - before : nil
                before = time
            }
            try PerfStatFormulas(interval.events).apply(to: &launch, sink)
            try sink.add(launch)
        }
    }
}

/// One line of `perf stat -x,`.
struct PerfStatLine {
    /// Seconds since the start, where intervals are printed.
    var time: Double?
    /// `nil` if the counter is not supported or never ran.
    var value: Double?
    var unit: String
    var event: String
    /// Percent of the time that the counter ran.
    var running: Double?
    var metric: Double?
    var metricUnit: String

    /// Nil for anything else.
    init?(_ text: String) {
        var text = text
        if text.hasSuffix("\r") { text.removeLast() }
        let fields = Self.fields(text)
        guard fields.count >= 5 else { return nil }
        // With -I the time comes first, so that the value is the second field.
        var first = 0
        if !Self.isEvent(fields[2]) {
            guard fields.count >= 6, Self.isEvent(fields[3]), let time = DecimalNumber.parse(fields[0]) else {
                return nil
            }
            self.time = time
            first = 1
        }
        let number = fields[first]
        value = DecimalNumber.parse(number)
        guard value != nil || number.hasPrefix("<not ") else { return nil }
        unit = fields[first + 1]
        event = fields[first + 2]
        // With -r the deviation of the runs stands between the event and its run time.
        let rest = fields[(first + 3)...].drop { $0.hasSuffix("%") }
        running = rest.dropFirst().first.flatMap { DecimalNumber.parse($0) }
        metric = rest.dropFirst(2).first.flatMap { DecimalNumber.parse($0) }
        metricUnit = rest.dropFirst(3).joined(separator: ",")
    }

    /// Splits at commas, but not within `cpu/event=0x3c,umask=0/`.
    private static func fields(_ text: String) -> [String] {
        var fields: [String] = []
        var field = ""
        var isInside = false
        for character in text {
            if character == "," && !isInside {
                fields.append(field)
                field = ""
                continue
            }
            // Units such as `M/sec` come after the event.
            if character == "/", fields.count <= 3 { isInside.toggle() }
            field.append(character)
        }
        return fields + [field]
    }

    private static func isEvent(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.properties.isAlphabetic else { return false }
        return text.count >= 3 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x7B }
    }
}
