import Agents
import LanguageModels
import Testing

/// A tool with scripted results.
struct MadeTool: Tool {
    var name = "made"
    var schema = #"{"type":"object","additionalProperties":false}"#
    var body: @Sendable (ToolArguments) throws(ToolError) -> String = { _ in "done" }

    var definition: ToolDefinition { ToolDefinition(name: name, description: "It is made.", parameters: schema) }

    func call(_ arguments: ToolArguments, isCancelled: () -> Bool) throws(ToolError) -> String { try body(arguments) }
}

@Suite("The tools of an agent")
struct ToolBoxTests {
    @Test("are listed with their arguments, in order")
    func signatures() throws {
        let tools = try ToolBox([Calculator(), LookupTool(), SearchTool()])
        #expect(tools.signatures == "calculator(expression), lookup(key), search(query)")
        #expect(tools.definitions.map(\.name) == ["calculator", "lookup", "search"])
    }

    @Test(
        "arguments are checked against the schema before a tool is run",
        arguments: [
            (#"{"expression":"2+2"}"#, "4"), ("{}", #"error: calculator needs the argument "expression""#),
            ("", #"error: calculator needs the argument "expression""#),
            (
                #"{"expression":"1","expr":"2"}"#,
                #"error: calculator has no argument "expr"; arguments: expression"#
            ),
            (
                #"{"expression":12}"#, #"error: the argument "expression" of calculator must be a string, not a number"#
            ),
            (
                #"{"expression":["1"]}"#,
                #"error: the argument "expression" of calculator must be a string, not an array"#
            ),
            (#"{"expression":"1/0"}"#, "error: division by zero at character 2"),
        ])
    func checks(json: String, text: String) throws {
        let outcome = try ToolBox([Calculator()]).run("calculator", ToolArguments(json: json))
        #expect(outcome.text == text)
        #expect(outcome.isError == text.hasPrefix("error"))
    }

    @Test(
        "every keyword of the schema that is understood refuses what it should",
        arguments: [
            (#"{"n":3,"w":"ab","l":[1],"c":"red","o":{"k":1}}"#, nil),
            (#"{"n":3.5}"#, #"the argument "n" of made must be an integer, not a number"#),
            (#"{"n":0}"#, #"the argument "n" of made must be 1 or more"#),
            (#"{"n":1e9}"#, #"the argument "n" of made must be 9 or less"#),
            (#"{"w":""}"#, #"the argument "w" of made must have 1 characters or more"#),
            (#"{"w":"abcd"}"#, #"the argument "w" of made must have 3 characters or fewer"#),
            (#"{"l":[1,2,3]}"#, #"the argument "l" of made must have 2 elements or fewer"#),
            (#"{"l":["x"]}"#, #"the argument "l[0]" of made must be a number, not a string"#),
            (#"{"c":"blue"}"#, #"the argument "c" of made must be one of "red", "green""#),
            (#"{"o":{}}"#, #"the argument "o" of made needs "k""#),
            (#"{"o":{"k":1,"j":2}}"#, #"the argument "o" of made has an unknown key "j""#),
            (#"{"o":{"k":"1"}}"#, #"the argument "o.k" of made must be a number or null, not a string"#),
            (#"{"other":true}"#, nil),
        ] as [(String, String?)])
    func schema(json: String, sentence: String?) throws {
        let schema = #"""
            {"type":"object","properties":{
            "n":{"type":"integer","minimum":1,"maximum":9},"w":{"type":"string","minLength":1,"maxLength":3},
            "l":{"type":"array","items":{"type":"number"},"maxItems":2},"c":{"enum":["red","green"]},
            "o":{"type":"object","properties":{"k":{"type":["number","null"]}},"required":["k"],
            "additionalProperties":false}}}
            """#
        let outcome = try ToolBox([MadeTool(schema: schema)]).run("made", ToolArguments(json: json))
        #expect(outcome.text == sentence.map { "error: " + $0 } ?? "done")
    }

    @Test(
        "arguments that are not an object, nested too deep, too long, or ambiguous are rejected",
        arguments: [
            ("nonsense", "not JSON"), ("[1]", "must be an object"), ("{\"a\":1", "not JSON"),
            (#"{"a":1,"a":2}"#, "duplicate key"), (#"{"a":{"b":1,"b":1}}"#, "duplicate key"),
            (
                String(repeating: #"{"a":"#, count: 40) + "1" + String(repeating: "}", count: 40),
                "nested deeper than 32"
            ),
            ("{\"a\":\"" + String(repeating: "x", count: 70_000) + "\"}", "longer than 64 KiB"),
            (String(repeating: "[", count: 60_000), "nested deeper"), ("{\"a\":\"\u{0}\"}", "not JSON"),
        ])
    func hostile(json: String, sentence: String) {
        let error = #expect(throws: ToolError.self) { try ToolArguments(json: json) }
        #expect(error?.sentence.contains(sentence) == true, "\(error?.sentence ?? "")")
    }

    @Test("equal arguments have one canonical text")
    func canonical() throws {
        let one = try ToolArguments(json: #"{"b": [1.0, "é"], "a": {"y": null, "x": true}}"#)
        let other = try ToolArguments(json: "{\"a\":{\"x\":true,\"y\":null},\n\"b\":[1,\"\\u00e9\"]}")
        #expect(one.canonical == other.canonical)
        #expect(try ToolArguments(json: #"{"a":"1"}"#).canonical != ToolArguments(json: #"{"a":1}"#).canonical)
        #expect(
            try ToolArguments(json: #"{"a":9007199254740993}"#).canonical
                != ToolArguments(json: #"{"a":9007199254740992}"#).canonical)
    }

    @Test("the error for an unknown tool lists the tools")
    func unknown() throws {
        let outcome = try ToolBox([Calculator(), LookupTool()]).run("calc", ToolArguments())
        #expect(outcome.text == "error: unknown tool \"calc\"; tools are calculator, lookup")
        let none = try ToolBox([]).run("calc", ToolArguments())
        #expect(none.text == "error: unknown tool \"calc\"; no tools are available")
    }

    @Test("long results are cut, and a notice reports how much")
    func cut() throws {
        let tool = MadeTool { _ in String(repeating: "x", count: 25) }
        let outcome = try ToolBox([tool], resultLimit: 10).run("made", ToolArguments())
        #expect(outcome.text == "xxxxxxxxxx [truncated: 15 of 25 characters left out]")
        #expect(try ToolBox([tool], resultLimit: 25).run("made", ToolArguments()).text.count == 25)
        let failing = MadeTool { _ throws(ToolError) in throw ToolError(String(repeating: "e\u{301}", count: 50)) }
        let failed = try ToolBox([failing], resultLimit: 10).run("made", ToolArguments())
        #expect(failed.isError && failed.text.contains("[truncated: 90 of 100 characters left out]"))
    }

    @Test("tools that cannot be told apart, or have no readable schema, are refused")
    func refused() {
        #expect(throws: ToolError("duplicate tool made")) { try ToolBox([MadeTool(), MadeTool()]) }
        for schema in ["", "[]", #"{"type":"string"}"#] {
            let error = #expect(throws: ToolError.self) { try ToolBox([MadeTool(schema: schema)]) }
            #expect(error?.sentence.hasPrefix("the tool made cannot be used") == true)
        }
    }
}
