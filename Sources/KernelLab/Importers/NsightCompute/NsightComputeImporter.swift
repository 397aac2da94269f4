internal import System

/// Reads the CSV that Nsight Compute prints, in both of its shapes.
///
/// - Wide (`--page raw`): a column a metric, a row of units, then a row a launch.
/// - Long (`--page details`, and `--metrics` without a page): a row a metric, launch after launch.
///
/// The tool's own messages (`==PROF==`) and the program's output may stand before the table. Columns are found by name.
struct NsightComputeImporter: ProfileImporter {
    static let format = "nsight-compute"
    static let tool = "Nsight Compute"
    static let recipe = "ncu --import FILE.ncu-rep --csv --page raw > FILE.csv"

    let options: ProfileImportOptions
    var metrics = NsightMetrics()
    /// The counter's place in the profile for each slot of the metrics; -1 for one that was not met.
    var counters: [Int] = []

    init(options: ProfileImportOptions) { self.options = options }

    static func recognizes(_ head: [UInt8]) -> Bool {
        if head.starts(with: Array("==PROF==".utf8)) { return true }
        for line in head.split(separator: 0x0A) {
            var line = line
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            if line.starts(with: Array("==PROF==".utf8)) { return true }
            if isHeader(Array(line.prefix(512))) || isSummaryHeader(Array(line.prefix(512))) { return true }
        }
        return false
    }

    /// `"ID","Process ID",...`, with or without quotes.
    private static func isHeader(_ line: [UInt8]) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        guard text.hasPrefix("\"ID\",") || text.hasPrefix("ID,") else { return false }
        return text.contains("Kernel Name")
    }

    private static func isSummaryHeader(_ line: [UInt8]) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        return text.hasPrefix("\"Process ID\",") && text.contains("\"Invocations\"")
    }

    mutating func read(_ source: ProfileSource, into sink: ProfileSink) throws {
        let reader = try CSVReader(source)
        try passOver(reader, source)
        var record = CSVRecord()
        guard try reader.next(into: &record) else { throw Self.noTable(source) }
        let header = try NsightHeader(record, source)
        if header.isLong {
            try readLong(reader, header, source, sink)
        } else {
            try readWide(reader, header, source, sink)
        }
    }

    /// Passes over messages and output up to the header.
    private func passOver(_ reader: CSVReader, _ source: ProfileSource) throws {
        while try !reader.atEnd() {
            let line = try reader.peekLine(512)
            if Self.isHeader(line) { return }
            if Self.isSummaryHeader(line) {
                throw source.error(
                    line: reader.line, "the file is a summary without launches",
                    "Export without --print-summary: \(Self.recipe).")
            }
            try reader.skipLine()
        }
        throw Self.noTable(source)
    }

    private static func noTable(_ source: ProfileSource) -> Problem {
        source.error(
            "missing table header (\"ID\",\"Process ID\",...)", "Export with --csv: \(recipe).")
    }

    /// The next row of the table: messages between rows, blank lines and repeated headers are passed over.
    func nextRow(
        _ reader: CSVReader, _ header: NsightHeader, _ source: ProfileSource, into record: inout CSVRecord
    ) throws -> Bool {
        while true {
            while try reader.begins(with: "==") { try reader.skipLine() }
            guard try reader.next(into: &record) else { return false }
            if record.isBlank || (record.equals(header.id, "ID") && record.count == header.count) { continue }
            guard record.count == header.count else {
                throw source.error(
                    line: record.line, "the row has \(record.count) fields, but the header has \(header.count)",
                    "The file is truncated or was edited. Export it again.")
            }
            return true
        }
    }

    /// What the columns next to the metrics say of a launch.
    func describe(_ record: CSVRecord, _ header: NsightHeader, _ sink: ProfileSink) throws -> Launch {
        var launch = Launch(ordinal: 0, name: record.text(header.kernel) ?? "unnamed kernel")
        launch.externalID = record.text(header.id)
        launch.stream = record.text(header.stream)
        launch.grid = record.text(header.grid).flatMap { Extent(parsing: $0) }
        launch.block = record.text(header.block).flatMap { Extent(parsing: $0) }
        let device = record.text(header.device) ?? "0"
        let host = record.text(header.host) ?? ""
        let capability = record.text(header.capability)
        // An index is all that most exports have; a name is taken as it is.
        launch.device = try sink.device(
            "\(host)|\(device)", name: Int(device) == nil ? device : "device \(device)", capability: capability)
        return launch
    }

    /// Works out the figures of a launch and hands it on.
    mutating func finish(_ launch: Launch, _ sink: ProfileSink) throws {
        var launch = launch
        NsightFormulas(metrics: metrics, halfLanes: options.halfLanes).apply(to: &launch)
        for slot in metrics.values.indices where !metrics.values[slot].isNaN && counters[slot] >= 0 {
            launch.counters.append(Launch.Counter(name: counters[slot], value: metrics.values[slot]))
        }
        sink.clock(device: launch.device, core: metrics.clock("sm"), memory: metrics.clock("dram"))
        try sink.add(launch)
    }

    /// The slot of a metric, whose name and unit become a counter of the profile.
    mutating func slot(_ name: String, unit: String, _ sink: ProfileSink) throws -> Int {
        let slot = metrics.slot(name)
        if slot == counters.count { counters.append(-1) }
        if counters[slot] < 0 { counters[slot] = try sink.counter(unit.isEmpty ? name : "\(name) [\(unit)]") }
        return slot
    }
}
