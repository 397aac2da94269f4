internal import Glibc
internal import JSON
internal import System
internal import Training

/// Reads a log of one JSON object a line.
///
/// Numbers become series, nested keys joined with a slash. The step is the first of the keys `step`, `global_step`,
/// `_step`, `train/global_step`, `trainer/global_step`, `iter`, `iteration`, `update`, `epoch` that a line has, otherwise the
/// one after the last; the time is `time`, `timestamp`, `_timestamp` or `wall_time` (seconds or milliseconds since 1970,
/// or ISO 8601), otherwise the file's. An object under `config`, `args`, `hparams` or `hyperparameters` is the configuration,
/// its `run_name`, `notes`, and `speed_unit` the name of the run, what it is about, and what `speed/units_per_second`
/// counts. A `text`, `sample`, or `completion` with a `prompt` next to it is a sample.
struct JSONLogReader {
    /// Longer lines are passed over.
    private static let longestLine = 16 << 20
    private static let stepKeys = [
        "step", "global_step", "_step", "train/global_step", "trainer/global_step", "iter", "iteration", "update",
        "epoch",
    ]
    private static let timeKeys = ["time", "timestamp", "_timestamp", "wall_time"]
    private static let configurationKeys: Set<String> = ["config", "args", "hparams", "hyperparameters"]
    private static let textKeys: Set<String> = ["text", "sample", "completion"]

    private let parser = LenientJSON()

    /// Whether these are the first bytes of such a log: a first line that is an object with a number in it.
    static func recognizes(_ head: [UInt8]) -> Bool {
        let line = Array(head.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }.prefix { $0 != 0x0A })
        guard line.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "{") else { return false }
        var count = 0
        let isWhole = line.withUnsafeBufferPointer { line in
            LenientJSON().read(line) { node in
                LoggedValues.visit(node, under: "") { _, value in if case .number = value { count += 1 } }
                if node.members.contains(where: { configurationKeys.contains($0.key.string ?? "") }) { count += 1 }
            }
        }
        return isWhole && count > 0
    }

    /// Reads what is new of the file: whole lines, and a last one without its end if it is a whole object.
    func read(_ file: String, into intake: inout RunIntake) throws {
        let place = intake.place(of: file)
        let window = try FileWindow(file, from: place.position)
        intake.head.changed = window.changed
        var step = Int64(place.memory) ?? -1
        let lines = JSONRecordReader(
            framing: .lines, maximumRecordBytes: Self.longestLine, startingAt: place.position
        ) { try window.read($0) }
        var skipped = 0
        while let line = try lines.next() {
            var isObject = false
            if line.ending != .oversized {
                let isWhole = parser.read(line.bytes) { node in
                    guard node.kind == .object else { return }
                    isObject = true
                    step = add(node, after: step, otherwise: window.changed, &intake)
                }
                // The last line may be being written.
                if !isWhole, line.ending == .endOfInput { break }
            }
            if !isObject { skipped += 1 }
            try intake.reached(file, lines.offset, memory: String(step))
        }
        if skipped > 0 { intake.note("\(file): skipped \(skipped) lines that are not JSON objects.") }
    }

    /// Adds the values of a line.
    ///
    /// - Returns: its step.
    private func add(
        _ node: JSONNode, after before: Int64, otherwise changed: Int64, _ intake: inout RunIntake
    ) -> Int64 {
        let (stepKey, step) = Self.step(of: node) ?? ("", before &+ 1)
        let recorded = Self.time(of: node)
        let (timeKey, time) = recorded ?? ("", changed)
        node.forEachMember { key, value in
            guard let name = key.string, name != stepKey, name != timeKey else { return }
            if Self.configurationKeys.contains(name), value.kind == .object {
                var json = JSONWriter(style: .pretty)
                json.value(value)
                intake.head.configuration = json.text
                if let name = value["run_name"]?.string, !name.isEmpty { intake.head.name = name }
                if let notes = value["notes"]?.string, !notes.isEmpty { intake.head.note = notes }
                if let unit = value["speed_unit"]?.string, !unit.isEmpty { intake.head.unit = unit }
                return
            }
            LoggedValues.visit(value, under: name) { name, value in
                switch value {
                case .number(let number):
                    intake.add(name, step: step, time: time, isTimed: recorded != nil, value: number)
                case .text(let text):
                    guard Self.textKeys.contains(name) else { return }
                    let prompt = node["prompt"]?.string ?? ""
                    intake.add(RunSample(step: Int(step), time: time, prompt: prompt, text: text))
                }
            }
        }
        return step
    }

    static func step(of node: JSONNode) -> (key: String, step: Int64)? {
        for key in stepKeys {
            // A fractional epoch gives no step.
            if let step = node.member(named: key)?.lenientInt { return (key, step) }
        }
        return nil
    }

    private static func time(of node: JSONNode) -> (key: String, time: Int64)? {
        for key in timeKeys {
            guard let value = node.member(named: key) else { continue }
            if let time = value.timestamp { return (key, time) }
            // Milliseconds of today are seconds of the year 50,000. Small numbers are durations: a curve like another.
            guard let number = value.double, number > 1e8 else { continue }
            let time = FollowedTime.nanoseconds(seconds: number > 1e11 ? number / 1000 : number)
            if time > 0 { return (key, time) }
        }
        return nil
    }
}
