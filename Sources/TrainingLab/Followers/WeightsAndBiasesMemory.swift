internal import JSON

/// What must be known of a W&B run to go on reading it.
struct WeightsAndBiasesMemory: Equatable {
    var step: Int64 = -1
    /// Lines of the terminal so far.
    var lines = 0
    /// JSON text by key.
    var configuration: [String: String] = [:]
    var summary: [String: String] = [:]

    private static let mostKeys = 2_000
    private static let longestValue = 16 << 10

    init() {}

    /// Reads what `text` wrote; any other text gives an empty memory.
    init(text: String) {
        guard !text.isEmpty, let document = try? JSONDocument(parsing: text) else { return }
        document.withRoot { root in
            step = root["step"]?.int ?? -1
            lines = Int(root["lines"]?.int ?? 0)
            root["configuration"]?.forEachMember { key, value in configuration[key.string ?? ""] = value.string }
            root["summary"]?.forEachMember { key, value in summary[key.string ?? ""] = value.string }
        }
    }

    var text: String {
        var json = JSONWriter()
        json.object { json in
            json.member("step", step)
            json.member("lines", lines)
            json.member("configuration", configuration)
            json.member("summary", summary)
        }
        return json.text
    }

    mutating func keep(_ item: HistoryItem, in place: WritableKeyPath<Self, [String: String]>) {
        var value = item.json
        if let number = item.number {
            var json = JSONWriter()
            json.measure(number)
            value = json.text
        } else if let text = item.text {
            value = text.json()
        }
        guard !value.isEmpty, value.utf8.count <= Self.longestValue else { return }
        guard self[keyPath: place].count < Self.mostKeys || self[keyPath: place][item.key] != nil else { return }
        self[keyPath: place][item.key] = value
    }

    /// An object of the values, as they were written; one that is no JSON stands as text.
    static func text(_ values: [String: String], _ style: JSONWriter.Style) -> String {
        var json = JSONWriter(style: style)
        json.object { json in
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                if let document = try? JSONDocument(parsing: value) {
                    document.withRoot { json.member(key, $0) }
                } else {
                    json.member(key, value)
                }
            }
        }
        return json.text
    }
}
