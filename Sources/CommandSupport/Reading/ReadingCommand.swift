package import ArgumentParser
package import JSON

/// A command that reads something and prints it, without changing it.
///
/// A command declares its options and its result. The rest is the same for all: errors become one sentence; `--json`,
/// `--csv`, and `--markdown` replace the text; notes go to standard error.
package protocol ReadingCommand: ParsableCommand {
    associatedtype Options: ReadingOptions
    associatedtype Result: Presentable

    /// Options that select the workspace and the form of the output.
    var reading: Options { get }

    func result(in options: Options) throws -> Result
}

extension ReadingCommand {
    package func run() throws {
        try answering {
            let result = try result(in: reading)
            let form = reading.form
            if form == .json { Output.json(result) } else if let text = result.text(form) { Output.result(text) }
            if form == .text { for note in result.notes { Output.note(note) } }
            if result.status != 0 { throw ExitCode(result.status) }
        }
    }
}

/// A result that a command prints.
package protocol Presentable: JSONRepresentable {
    /// Returns the text for standard output; `nil` for no output.
    ///
    /// - Parameter form: Any form except JSON; only tables differ between forms.
    func text(_ form: OutputForm) -> String?

    /// Sentences for standard error, below the text.
    var notes: [String] { get }

    /// Exit status.
    var status: Int32 { get }
}

extension Presentable {
    package var notes: [String] { [] }
    package var status: Int32 { 0 }
}

/// A result with a JSON form, printed as text.
package struct Report<Value: JSONRepresentable>: Presentable {
    private let value: Value
    private let lines: () -> String
    package var notes: [String]
    package var status: Int32

    package init(_ value: Value, notes: [String] = [], status: Int32 = 0, text: @escaping () -> String) {
        self.value = value
        self.notes = notes
        self.status = status
        lines = text
    }

    package func text(_ form: OutputForm) -> String? { lines() }
    package func write(to json: inout JSONWriter) { value.write(to: &json) }
}
