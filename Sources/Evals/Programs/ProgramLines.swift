internal import JSON
internal import LanguageModels

/// Shared parts of the lines for solvers, scorers, and judges.
enum ProgramLines {
    /// The rule for output of programs, as a remedy.
    static let rule =
        "Write exactly one line of JSON to standard output for each input line, or copy the line_id of the input line "
        + "into the output line."

    static func begin(_ kind: String, _ number: Int, to json: inout JSONWriter) {
        json.member("version", 1)
        json.member("line_id", number)
        json.member("kind", kind)
    }

    static func asked(_ sample: TaskSample, to json: inout JSONWriter) {
        json.member("request", sample.request.kindName)
        if case .program(let value) = sample.request {
            json.member("input", value)
        } else {
            json.member("input", sample.request.inputText)
        }
        messages(sample.request.messages, to: &json)
        if !sample.choices.isEmpty { json.member("choices", sample.choices) }
        json.member("fields", sample.fields)
    }

    static func messages(_ messages: [Message], to json: inout JSONWriter) {
        json.objects("messages", of: messages) { message, json in
            json.member("role", message.role.name)
            json.member("content", message.plainText)
        }
    }

    /// Returns the token usage that a program reported; `nil` if it reported nothing valid.
    static func usage(_ value: JSONValue) -> Usage? {
        guard let told = value["usage"] else { return nil }
        func count(_ name: String) -> Int? { told[name]?.int.map { min(max($0, 0), 1 << 40) } }
        let (input, output) = (count("input_tokens"), count("output_tokens"))
        return input == nil && output == nil ? nil : Usage(input: input ?? 0, output: output ?? 0)
    }
}
