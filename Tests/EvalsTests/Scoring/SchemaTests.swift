import Evals
import JSON
import Testing

struct SchemaTests {
    @Test(
        "values match schemas or not",
        arguments: [
            ("true", "1", true), ("false", "1", false), ("{}", "null", true),
            ("{\"type\": \"integer\"}", "1.0", true), ("{\"type\": \"integer\"}", "1.5", false),
            ("{\"type\": [\"string\", \"null\"]}", "null", true), ("{\"type\": \"number\"}", "\"1\"", false),
            ("{\"enum\": [1, \"a\"]}", "1.0", true),
            ("{\"const\": {\"a\": 1, \"b\": 2}}", "{\"b\": 2, \"a\": 1}", true),
            ("{\"minimum\": 3, \"exclusiveMaximum\": 5}", "5", false), ("{\"minimum\": 3}", "3", true),
            ("{\"multipleOf\": 0.1}", "0.3", true), ("{\"minLength\": 2}", "\"é\"", false),
            ("{\"pattern\": \"^a\"}", "\"ab\"", true), ("{\"pattern\": \"^a\"}", "\"ba\"", false),
            ("{\"items\": {\"type\": \"string\"}}", "[\"a\", 1]", false),
            ("{\"prefixItems\": [{\"type\": \"string\"}], \"items\": {\"type\": \"integer\"}}", "[\"a\", 1, 2]", true),
            ("{\"uniqueItems\": true}", "[1, 1.0]", false), ("{\"maxItems\": 1}", "[1, 2]", false),
            ("{\"properties\": {\"a\": {\"type\": \"string\"}}, \"additionalProperties\": false}", "{\"b\": 1}", false),
            ("{\"additionalProperties\": {\"type\": \"integer\"}}", "{\"b\": 1}", true),
            ("{\"required\": [\"a\"]}", "{\"a\": null}", true), ("{\"required\": [\"a\"]}", "[]", true),
            ("{\"anyOf\": [{\"type\": \"string\"}, {\"minimum\": 3}]}", "2", false),
            ("{\"oneOf\": [{\"type\": \"integer\"}, {\"minimum\": 3}]}", "4", false),
            ("{\"oneOf\": [{\"type\": \"integer\"}, {\"minimum\": 3}]}", "3.5", true),
            ("{\"allOf\": [{\"minimum\": 1}, {\"maximum\": 3}]}", "4", false),
            ("{\"not\": {\"type\": \"null\"}}", "null", false),
            (
                "{\"$ref\": \"#/$defs/tree\", \"$defs\": {\"tree\": {\"type\": \"array\", \"items\": {\"$ref\": \"#\"}}}}",
                "[[], [[]]]", true
            ),
            (
                "{\"$ref\": \"#/$defs/tree\", \"$defs\": {\"tree\": {\"type\": \"array\", \"items\": {\"$ref\": \"#\"}}}}",
                "[[], [1]]", false
            ),
            ("{\"$ref\": \"#\"}", "1", false), ("{\"$ref\": \"#/nowhere\"}", "1", false),
        ])
    func fits(schema: String, value: String, isRight: Bool) throws {
        let schema = try JSONSchema(JSONValue(json: schema))
        #expect(schema.problems(of: try JSONValue(json: value)).isEmpty == isRight)
    }

    @Test("problems name their place") func places() throws {
        let schema = try JSONSchema(
            JSONValue(json: "{\"properties\": {\"a\": {\"items\": {\"type\": \"string\"}}}, \"required\": [\"b\"]}"))
        #expect(
            schema.problems(of: try JSONValue(json: "{\"a\": [\"x\", 2]}"))
                == ["$.a[1] is integer, not string", "$ lacks \"b\""])
    }
}
