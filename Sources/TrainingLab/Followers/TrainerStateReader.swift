internal import Hashing
internal import JSON
internal import Training

/// Reads `trainer_state.json`, which Hugging Face's Trainer writes again at each checkpoint.
///
/// Every entry of `log_history` has its `step` and numbers. The file is read whole when it has changed; entries that were
/// read before are passed over, and where they are others now the run starts again.
struct TrainerStateReader {
    static let fileName = "trainer_state.json"
    private static let largest = 128 << 20

    static func recognizes(_ head: [UInt8]) -> Bool {
        String(decoding: head, as: UTF8.self).drop(while: \.isWhitespace).hasPrefix("{")
            && String(decoding: head, as: UTF8.self).contains("\"log_history\"")
    }

    /// - Parameter key: under which the place is kept: the checkpoint that holds the file may change.
    func read(_ file: String, key: String, into intake: inout RunIntake) throws {
        let window = try FileWindow(file, from: 0)
        intake.head.changed = window.changed
        guard window.size <= Self.largest else {
            intake.note(
                "\(file) is \(window.size >> 20) MiB, which exceeds the limit for trainer_state.json. The file is "
                    + "ignored.")
            return
        }
        guard let bytes = try window.next(window.size), !bytes.isEmpty else { return }
        var entries: [Entry] = []
        var digest = FNV1a()
        let isWhole = LenientJSON().read(bytes.bindMemory(to: UInt8.self)) { node in
            entries = node["log_history"]?.elements.map { Entry($0, after: &digest) } ?? []
            intake.head.steps = node["max_steps"]?.lenientInt.flatMap { $0 > 0 ? Int($0) : nil }
            if let step = node["global_step"]?.lenientInt, let most = node["max_steps"]?.lenientInt, most > 0 {
                intake.head.state = step >= most ? .finished : nil
            }
        }
        guard isWhole else {
            intake.note("\(file) is incomplete or damaged. Orrery will read the file when it is complete.")
            return
        }
        try add(entries, key: key, changed: window.changed, &intake)
    }

    private func add(_ entries: [Entry], key: String, changed: Int64, _ intake: inout RunIntake) throws {
        let place = intake.place(of: key)
        var known = place.position
        if known > 0, known > entries.count || String(entries[known - 1].digest) != place.memory {
            try intake.restart()
            known = 0
        }
        for (index, entry) in entries.enumerated().dropFirst(known) {
            for (name, value) in entry.values {
                intake.add(name, step: entry.step, time: changed, isTimed: false, value: value)
            }
            try intake.reached(key, index + 1, memory: String(entry.digest))
        }
    }

    /// One entry of the history; `digest` is one of all entries up to it.
    private struct Entry {
        var step: Int64
        var values: [(String, Double)] = []
        var digest: UInt64

        init(_ node: JSONNode, after digest: inout FNV1a) {
            step = node["step"]?.lenientInt ?? 0
            digest.add(node.source)
            self.digest = digest.value
            node.forEachMember { key, value in
                guard let key = key.string, key != "step" else { return }
                LoggedValues.visit(value, under: key) { name, value in
                    if case .number(let number) = value { values.append((name, number)) }
                }
            }
        }
    }
}
