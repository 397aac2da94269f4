import JSON
import TestFixtures
import Tokenizers

/// Output of Jinja, written by the generators next to the goldens.
enum ChatGoldens {
    static let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Goldens"
    /// Templates of real models, if they are next to the package.
    static let templates = "../shared/data/inference/chat-templates"
    /// The clock of the generators.
    static let now = LocalTime(year: 2024, month: 7, day: 6, hour: 9, minute: 5, second: 3)

    static func text(_ name: String) -> String { File.text(folder + "/" + name) ?? "" }

    /// FNV-1a, 64 bits, of a text's UTF-8, as 16 hexadecimal digits.
    static func hash(_ text: String) -> String {
        let value = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The code that the generator would give: a hash, `!` and a hash for a refusal, `-` for a failure.
    static func code(_ template: ChatTemplate, _ variables: String) -> String {
        do {
            return hash(try template.render(json: variables, now: now).text)
        } catch {
            return error.kind == .refused ? "!" + hash(error.explanation) : "-"
        }
    }

    /// The conversations of the golden, each as JSON.
    static func conversations() -> [String] {
        text("chat-conversations.json").split(separator: "\n").filter { $0.hasPrefix("{") }
            .map { String($0.hasSuffix(",") ? $0.dropLast() : $0) }
    }
}
