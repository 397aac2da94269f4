internal import Configuration
internal import TOMLKit

/// What stands behind a key of a configuration.
enum ConfigurationValue: Hashable, Sendable {
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case texts([String])
    case integers([Int])

    init?(_ value: (any TOMLValueConvertible)?) {
        if let flag = value?.bool {
            self = .flag(flag)
        } else if let integer = value?.int {
            self = .integer(integer)
        } else if let number = value?.double {
            self = .number(number)
        } else if let text = value?.string {
            self = .text(text)
        } else if let array = value?.array {
            let texts = array.compactMap { $0.string }
            let integers = array.compactMap { $0.int }
            if texts.count == array.count {
                self = .texts(texts)
            } else if integers.count == array.count {
                self = .integers(integers)
            } else {
                return nil
            }
        } else {
            return nil
        }
    }

    /// As a configuration has it.
    var toml: String {
        switch self {
        case .flag(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value): value == value.rounded() && abs(value) < 1e15 ? "\(Int(value)).0" : "\(value)"
        case .text(let value): TOMLText.quoted(value)
        case .texts(let values): "[" + values.map(TOMLText.quoted).joined(separator: ", ") + "]"
        case .integers(let values): "[" + values.map { String($0) }.joined(separator: ", ") + "]"
        }
    }
}
