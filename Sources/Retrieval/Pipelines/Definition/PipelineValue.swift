internal import Configuration
internal import TOMLKit

/// The value of a pipeline key.
public enum PipelineValue: Hashable, Sendable {
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case texts([String])

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
            guard texts.count == array.count else { return nil }
            self = .texts(texts)
        } else {
            return nil
        }
    }

    /// As a file has it.
    public var toml: String {
        switch self {
        case .flag(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value):
            value == value.rounded() && abs(value) < 1e15 ? "\(Int(value)).0" : "\(value)"
        case .text(let value): TOMLText.quoted(value)
        case .texts(let values): "[" + values.map(TOMLText.quoted).joined(separator: ", ") + "]"
        }
    }

    /// Without the quotes of a text: for people, and for ``PipelineDefinition/changing(_:to:)``.
    public var plain: String { if case .text(let value) = self { value } else { toml } }
}
