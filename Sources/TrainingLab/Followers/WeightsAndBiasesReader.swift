internal import Bytes
internal import JSON
internal import Training

/// Reads the `.wandb` file of a run of Weights & Biases: what `wandb.log`, `wandb.config` and `wandb.summary` were given.
///
/// Each record of the log is a protobuf `Record` (wandb/proto/wandb_internal.proto): history (2), summary (3), output (4,
/// 13), configuration (5), run (17), exit (18), header (21). Numbers of the history become curves, nested keys joined with
/// a slash, under the time that `_timestamp` says; texts and lines of the terminal become samples. Of pictures, tables and
/// histograms nothing is kept.
struct WeightsAndBiasesReader {
    private var memory = WeightsAndBiasesMemory()
    private let parser = LenientJSON()
    /// Lines of a terminal beyond these are left out.
    private static let mostLines = 10_000

    static func recognizes(_ head: UnsafeRawBufferPointer) -> Bool {
        head.count >= LogRecordReader.header.count && head.prefix(7).elementsEqual(LogRecordReader.header)
    }

    /// Reads what is new of the file.
    mutating func read(_ file: String, into intake: inout RunIntake) throws {
        let place = intake.place(of: file)
        let window = try FileWindow(file, from: place.position)
        intake.head.changed = window.changed
        memory = WeightsAndBiasesMemory(text: place.memory)
        var log = LogRecordReader(window)
        while let record = try log.next() {
            do {
                try record.withUnsafeBytes { bytes in try read(record: ProtobufReader(bytes), &intake) }
            } catch is ByteDamage {
                intake.note("\(file), byte \(log.position): skipped a record that is not from W&B.")
            }
            if intake.isFull { try settle(file, log.position, &intake) }
        }
        for problem in log.takeProblems().prefix(20) { intake.note("\(file), \(problem)") }
        readCompanions(of: file, &intake)
        try settle(file, log.position, &intake)
    }

    /// The configuration and the end as W&B leaves them next to the log, where the log does not hold them.
    private func readCompanions(of file: String, _ intake: inout RunIntake) {
        let folder = FilePath.folder(of: file) + "/files/"
        if memory.configuration.isEmpty, let text = FilePath.smallText(folder + "config.yaml") {
            intake.head.configuration = text
        }
        if memory.summary.isEmpty, let text = FilePath.smallText(folder + "wandb-summary.json") {
            intake.head.summary = text
        }
    }

    private func settle(_ file: String, _ position: Int, _ intake: inout RunIntake) throws {
        if !memory.configuration.isEmpty {
            intake.head.configuration = WeightsAndBiasesMemory.text(memory.configuration, .pretty)
        }
        if !memory.summary.isEmpty { intake.head.summary = WeightsAndBiasesMemory.text(memory.summary, .compact) }
        try intake.reached(file, position, memory: memory.text)
    }

    // MARK: Records

    private mutating func read(record: ProtobufReader, _ intake: inout RunIntake) throws {
        var record = record
        while let field = try record.next() {
            guard let message = field.message else { continue }
            switch field.number {
            case 2: try readHistory(message, &intake)
            case 3: try readItems(message, into: \.summary)
            case 4, 13: try readOutput(message, &intake)
            case 5: try readItems(message, into: \.configuration)
            case 17: try readRun(message, &intake)
            case 18: try readExit(message, &intake)
            case 21: try readHeader(message, &intake)
            default: break
            }
        }
    }

    private mutating func readHistory(_ message: ProtobufReader, _ intake: inout RunIntake) throws {
        var message = message
        var items: [HistoryItem] = []
        var step: Int64?
        while let field = try message.next() {
            guard let part = field.message else { continue }
            if field.number == 1, items.count < 100_000 { items.append(try HistoryItem(part)) }
            if field.number == 2 {
                var place = part
                step = 0
                while let number = try place.next() { if number.number == 1 { step = number.int } }
            }
        }
        var time: Int64 = 0
        for item in items {
            switch item.key {
            case "_step": step = step ?? number(item).flatMap { Int64(exactly: $0) }
            case "_timestamp": time = FollowedTime.nanoseconds(seconds: number(item))
            default: break
            }
        }
        let here = step ?? (memory.step == .max ? .max : memory.step + 1)
        memory.step = here
        // Pictures and the like are objects with a type; newer logs spell their members one by one.
        let media = items.compactMap { $0.key.hasSuffix("/_type") ? String($0.key.dropLast(5)) : nil }
        for item in items where !item.key.hasPrefix("_") && !media.contains(where: item.key.hasPrefix) {
            add(item, step: here, time: time, &intake)
        }
    }

    private func number(_ item: HistoryItem) -> Double? {
        if let number = item.number { return number }
        var found: Double?
        parser.read(item.json) { found = $0.double ?? $0.string.flatMap(NumberWord.value) }
        return found
    }

    private func add(_ item: HistoryItem, step: Int64, time: Int64, _ intake: inout RunIntake) {
        if let number = item.number { return intake.add(item.key, step: step, time: time, value: number) }
        if let text = item.text {
            return intake.add(RunSample(step: Int(step), time: time, prompt: item.key, text: text))
        }
        parser.read(item.json) { node in
            LoggedValues.visit(node, under: item.key) { name, value in
                switch value {
                case .number(let number): intake.add(name, step: step, time: time, value: number)
                case .text(let text):
                    intake.add(RunSample(step: Int(step), time: time, prompt: name, text: text))
                }
            }
        }
    }

    private mutating func readItems(
        _ message: ProtobufReader, into place: WritableKeyPath<WeightsAndBiasesMemory, [String: String]>
    ) throws {
        var message = message
        while let field = try message.next() {
            guard field.number == 1 || field.number == 2, let part = field.message else { continue }
            let item = try HistoryItem(part)
            guard !item.key.hasPrefix("_"), !item.key.isEmpty else { continue }
            if field.number == 2 { memory[keyPath: place][item.key] = nil } else { memory.keep(item, in: place) }
        }
    }

    private mutating func readRun(_ message: ProtobufReader, _ intake: inout RunIntake) throws {
        var message = message
        var identifier: String?
        var title: String?
        while let field = try message.next() {
            switch field.number {
            case 1: identifier = field.text
            case 4: if let part = field.message { try readItems(part, into: \.configuration) }
            case 5: if let part = field.message { try readItems(part, into: \.summary) }
            case 8: title = field.text
            case 17: intake.head.created = try Self.time(field)
            default: break
            }
        }
        if let name = title?.isEmpty == false ? title : identifier { intake.head.name = name }
    }

    private mutating func readOutput(_ message: ProtobufReader, _ intake: inout RunIntake) throws {
        var message = message
        var time: Int64 = 0
        var line = ""
        while let field = try message.next() {
            if field.number == 2 { time = try Self.time(field) }
            if field.number == 3 { line = field.text ?? "" }
        }
        guard !line.allSatisfy(\.isWhitespace), memory.lines < Self.mostLines else { return }
        memory.lines += 1
        intake.add(RunSample(step: Int(memory.step), time: time, prompt: "terminal", text: line))
    }

    private func readExit(_ message: ProtobufReader, _ intake: inout RunIntake) throws {
        var message = message
        var code: Int64 = 0
        while let field = try message.next() { if field.number == 1 { code = field.int ?? 0 } }
        intake.head.state = code == 0 ? .finished : .failed
        intake.head.note = code == 0 ? "The run finished normally." : "The run ended with exit code \(code)."
    }

    private func readHeader(_ message: ProtobufReader, _ intake: inout RunIntake) throws {
        var message = message
        while let field = try message.next() {
            guard field.number == 1, var version = field.message else { continue }
            while let part = try version.next() {
                if part.number == 1 { intake.head.version = part.text.map { "wandb \($0)" } }
            }
        }
    }

    private static func time(_ field: ProtobufReader.Field) throws(ByteDamage) -> Int64 {
        var stamp = field.message
        var seconds: Int64 = 0
        var nanoseconds: Int64 = 0
        while let part = try stamp?.next() {
            if part.number == 1 { seconds = part.int ?? 0 }
            if part.number == 2 { nanoseconds = part.int ?? 0 }
        }
        guard (0..<9_200_000_000).contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else { return 0 }
        return seconds * 1_000_000_000 + nanoseconds
    }
}

/// One value of a history, a summary or a configuration, under its key.
struct HistoryItem {
    /// Keys within keys are joined with a slash.
    private(set) var key = ""
    private(set) var json = ""
    /// Newer logs spell numbers and texts without JSON.
    private(set) var number: Double?
    private(set) var text: String?

    init(_ message: ProtobufReader) throws(ByteDamage) {
        var message = message
        while let field = try message.next() {
            switch field.number {
            case 1: key = field.text ?? ""
            case 2: key += (key.isEmpty ? "" : "/") + (field.text ?? "")
            case 5: number = field.zigzag.map(Double.init)
            case 6: number = field.double
            case 7: text = field.text
            case 8, 16: json = field.text ?? ""
            default: break
            }
        }
    }
}
