package import ArgumentParser
package import JSON

/// A command that prints a result.
///
/// A command declares its options and its result. The rest is the same for all: errors become one sentence; `--json`,
/// `--csv`, and `--markdown` replace the text; notes go to standard error, except with `--json`.
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
            try result(in: reading).print(as: reading.form)
        }
    }
}

/// A result that a command prints.
package protocol Presentable: JSONRepresentable {
    /// Returns the text for standard output; `nil` or an empty text for no output.
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

    /// Prints the result.
    ///
    /// - Throws: `ExitCode` if the status is not 0.
    package func print(as form: OutputForm) throws {
        if form == .json { Output.json(self) } else if let text = text(form), !text.isEmpty { Output.result(text) }
        if form != .json { for note in notes { Output.note(note) } }
        if status != 0 { throw ExitCode(status) }
    }
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

extension Report where Value == JSONObject {
    /// Creates a report whose JSON is an object.
    package init(
        object members: @escaping (inout JSONWriter) -> Void, notes: [String] = [], status: Int32 = 0,
        text: @escaping () -> String
    ) {
        self.init(JSONObject(members: members), notes: notes, status: status, text: text)
    }
}

/// A JSON object with the members that a closure writes.
package struct JSONObject: JSONRepresentable {
    private let members: (inout JSONWriter) -> Void

    package init(members: @escaping (inout JSONWriter) -> Void) { self.members = members }

    package func write(to json: inout JSONWriter) { json.object { members(&$0) } }
}
