internal import Formatting
internal import JSON
internal import System
internal import Training
internal import Workspace

/// What a run is exported as.
public enum RunExportFormat: String, Sendable, CaseIterable {
    /// A row per step, a column a series; a series without a value at a step has an empty field.
    case csv
    /// An object a step, as `JSONLogReader` reads it.
    case jsonLines = "jsonl"
}

extension RunStore {
    /// Writes the points of a run by step, in pieces of about 64 KiB; numbers read back as the same numbers.
    ///
    /// Memory holds a block of each series. Series that go back to an earlier step are read whole and sorted. Several
    /// points of a series at one step get a row each. `time` is in seconds since 1970.
    ///
    /// - Throws: `Problem` if there is no such run; errors of `write`.
    public func export(
        _ run: Int64, as format: RunExportFormat, write: ([UInt8]) throws -> Void
    ) throws {
        guard try self.run(run) != nil else {
            throw Problem(.missing, "", "Run \(run) does not exist", remedy: "List runs with orrery train list.")
        }
        let names = try series(of: run).map(\.name)
        try workspace.read { db in
            let readings = try Self.readings(names.map { CurveSource(run: run, series: $0) }, .step, db)
            let reader = try BlockReader(db)
            var streams = try readings.map { try PointStream($0, reader) }
            var lines = ExportLines(format: format, names: names)
            var values = [Double?](repeating: nil, count: streams.count)
            while let step = streams.lazy.compactMap(\.step).min() {
                var time: Int64?
                for index in streams.indices {
                    guard streams[index].step == step else {
                        values[index] = nil
                        continue
                    }
                    time = time ?? streams[index].time
                    values[index] = try streams[index].take(reader)
                }
                lines.append(step: step, time: time ?? 0, values)
                if lines.bytes.count >= 64 << 10 { try write(lines.take()) }
            }
            try write(lines.take())
        }
    }
}

/// The points of a series one after the other, a block in memory at a time.
private struct PointStream {
    private let reading: SeriesReading
    private var held = SeriesPoints()
    private var position = 0
    private var block = 0
    private var isAtEnd = false

    init(_ reading: SeriesReading, _ reader: BlockReader) throws {
        self.reading = reading
        if !reading.isOrdered {
            held = try reading.points(steps: nil, reader)
            block = reading.blocks.count
            isAtEnd = true
        }
        try fill(reader)
    }

    var step: Int64? { position < held.count ? held.steps[position] : nil }

    var time: Int64 { held.times[position] }

    mutating func take(_ reader: BlockReader) throws -> Double {
        let value = held.values[position]
        position += 1
        try fill(reader)
        return value
    }

    private mutating func fill(_ reader: BlockReader) throws {
        while position >= held.count, !isAtEnd {
            position = 0
            held.removeAll()
            if block < reading.blocks.count {
                try reader.read(series: reading.series, number: reading.blocks[block].number, into: &held)
                block += 1
            } else {
                held = reading.recent
                isAtEnd = true
            }
        }
    }
}

/// Lines of an export.
private struct ExportLines {
    let format: RunExportFormat
    let names: [String]
    private(set) var bytes: [UInt8] = []
    private var json = JSONWriter()

    init(format: RunExportFormat, names: [String]) {
        self.format = format
        self.names = names
        if format == .csv {
            bytes += Array((["step", "time"] + names).map(Self.field).joined(separator: ",").utf8) + [0x0A]
        }
    }

    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    mutating func append(step: Int64, time: Int64, _ values: [Double?]) {
        switch format {
        case .csv:
            bytes += Array("\(step),\(Self.seconds(time))".utf8)
            for value in values {
                bytes.append(UInt8(ascii: ","))
                guard let value else { continue }
                bytes += Array((value.isFinite ? value.description : NumberWord.text(value)).utf8)
            }
            bytes.append(0x0A)
        case .jsonLines:
            json.removeAll()
            json.object { json in
                json.member("step", step)
                json.key("time")
                json.number(Double(time) * 1e-9)
                for (name, value) in zip(names, values) {
                    if let value { json.member(name) { $0.measure(value) } }
                }
            }
            json.endLine()
            bytes += json.bytes
        }
    }

    /// Seconds with nanoseconds, without the rounding of a Double.
    private static func seconds(_ time: Int64) -> String {
        let (whole, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
        let sign = time < 0 && whole == 0 ? "-" : ""
        return "\(sign)\(whole).\(Format.padded(Int(rest.magnitude), digits: 9))"
    }

    /// A field of RFC 4180; a name that a spreadsheet would take for a formula gets an apostrophe before it.
    private static func field(_ name: String) -> String {
        let isFormula = name.first.map { "=+-@\t\r".contains($0) } ?? false
        let name = isFormula ? "'" + name : name
        guard name.contains(where: { ",\"\n\r".contains($0) }) else { return name }
        return "\"" + name.replacing("\"", with: "\"\"") + "\""
    }
}
