import CommandSupport
import Console
import Evals
import JSON
import Tables

/// All meanings of a term in task files: a scorer can have the name of a metric or key.
struct EvalMeanings: JSONRepresentable {
    private struct Choice {
        var kind: String
        var summary: String
        var settings: [ScorerSetting]
    }

    private let word: String
    private var choices: [Choice] = []
    /// Lines of a task file; `nil` if no key has this name.
    private let keys: String?

    init(of word: String) {
        self.word = word
        choices += Scorers.kinds.filter { $0.name == word }.map {
            Choice(kind: "scorer", summary: $0.summary, settings: $0.settings)
        }
        choices += Metrics.all.map { $0.kind }.filter { $0.name == word }.map {
            Choice(kind: "metric", summary: $0.summary, settings: $0.settings)
        }
        keys = OrreryTaskFormat.explanation(of: word)
    }

    var isEmpty: Bool { choices.isEmpty && keys == nil }

    /// All meanings, each with its kind if there are several.
    var text: String {
        let areSeveral = choices.count + (keys == nil ? 0 : 1) > 1
        var parts = choices.map { choice in
            let name = areSeveral ? "\(word), a \(choice.kind)" : word
            return "\(name): \(choice.summary)" + (choice.settings.isEmpty ? "" : "\n" + Self.table(choice.settings))
        }
        if let keys { parts.append(areSeveral ? "\(word), in a task file:\n\(keys)" : keys) }
        return parts.joined(separator: "\n\n")
    }

    private static func table(_ settings: [ScorerSetting]) -> String {
        ScorerSetting.table.text(settings)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("word", word)
            json.member("meanings") { json in
                json.array { json in
                    for choice in choices { Self.write(choice, to: &json) }
                    guard let keys else { return }
                    json.object {
                        $0.member("kind", "key")
                        $0.member("text", keys)
                    }
                }
            }
        }
    }

    private static func write(_ choice: Choice, to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", choice.kind)
            json.member("summary", choice.summary)
            json.member("settings", ScorerSetting.table.records(choice.settings))
        }
    }
}

extension ScorerSetting: Tabular {
    static func columns(_ table: inout Columns<ScorerSetting>) {
        table.text("setting", json: "name", \.name)
        table.text("default") { $0.standard?.json() ?? "required" }
        table.member("usual", ifPresent: \.standard)
        table.text("meaning", json: "meaning", \.explanation)
    }
}
