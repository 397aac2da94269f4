import LanguageModels
import Testing
import Traces

private typealias T = MessageText

@Suite("OTLP: spans")
struct OTLPSpanTests {
    private func read(_ text: String, stored: [Trace] = []) throws -> ImportedText {
        try importing(text, with: OTLPImporter.self, path: "spans.json", stored: stored)
    }

    @Test("one object, an array of objects, one object a line and a pretty-printed object are the same")
    func layouts() throws {
        let one = T.document(T.span("aa"))
        let two = T.document(T.span("bb"))
        let pretty = two.replacing("[{", with: "[\n  {\n").replacing(",\"", with: ",\n\"")
        for text in [one + "\n" + two + "\n", "[\(one),\n\(two)]", one + pretty, pretty + "\n" + one] {
            let imported = try read(text)
            #expect(imported.totals.spans == 2)
            #expect(imported.records == 2)
            #expect(imported.skipped == 0)
            for span in imported.trace.spans {
                let bytes = imported.slice(span.records[0])
                #expect(bytes.first == UInt8(ascii: "{") && bytes.last == UInt8(ascii: "}"))
                #expect(String(decoding: bytes, as: UTF8.self).contains(span.externalID))
            }
        }
    }

    @Test("ids are the same in either case, and a parent may come behind its child")
    func idsAndParents() throws {
        let trace = try read(T.document(T.span("AB", parent: "CD"), T.span("cd", name: "root"))).trace
        #expect(trace.summary.externalID == "0af7651916cd43dd8448eb211c80319c")
        #expect(trace.spans.map(\.externalID) == ["ab", "cd"])
        #expect(trace.spans.map(\.parent) == [1, nil])
        #expect(trace.spans.map(\.missingParent) == [nil, nil])
        #expect(trace.summary.name == "root")
        #expect(trace.summary.project == "svc")
        #expect(trace.summary.origin == .agent)
    }

    @Test("a span whose parent is missing is a root until the parent arrives with a later file")
    func missingParent() throws {
        let first = try read(T.document(T.span("ab", parent: "cd"))).trace
        #expect(first.spans[0].parent == nil)
        #expect(first.spans[0].missingParent == "cd")
        let second = try read(T.document(T.span("cd")), stored: [first]).trace
        #expect(second.spans[0].parent == 1)
        #expect(second.spans[0].missingParent == nil)
    }

    @Test("links to other spans are among its details")
    func links() throws {
        let links = #""links":[{"traceId":"AB12","spanId":"CD34"},{"traceId":"x"},{"traceId":"ab12","spanId":"ef56"}]"#
        let imported = try read(T.document(T.span("aa", T.attribute("color", "red"), more: links)))
        let attributes = try imported.details(imported.trace.spans[0], with: OTLPImporter.self).attributes
        #expect(attributes.map(\.name) == ["link", "link", "color"])
        #expect(attributes.map(\.value) == ["ab12/cd34", "ab12/ef56", "red"])
    }

    @Test("a model call that only asks for a tool is captioned with the tool and its main argument")
    func toolCaption() throws {
        func caption(_ parts: String) throws -> String? {
            let answer = T.attribute("gen_ai.output.messages", #"[{"role":"assistant","parts":[\#(parts)]}]"#)
            let chat = T.attribute("gen_ai.operation.name", "chat")
            return try read(T.document(T.span("aa", chat, answer))).trace.spans[0].caption
        }
        let call = #"{"type":"tool_call","id":"c","name":"shell","arguments":{"command":"ls -l"}}"#
        #expect(try caption(call) == "→ shell ls -l")
        #expect(
            try caption(call.replacing(#"{"command":"ls -l"}"#, with: #""{\"command\":\"pwd\"}""#)) == "→ shell pwd")
        #expect(try caption(call.replacing(#","arguments":{"command":"ls -l"}"#, with: "")) == "→ shell")
        #expect(try caption(call + #",{"type":"text","content":"Looking."}"#) == "Looking.")
    }

    @Test("an empty parent means the root, and spans in a circle do not stay in it")
    func rootsAndCircles() throws {
        #expect(try read(T.document(T.span("ab", parent: ""))).trace.spans[0].parent == nil)
        let circle = try read(
            T.document(T.span("a1", parent: "a3"), T.span("a2", parent: "a1"), T.span("a3", parent: "a2"))
        ).trace
        #expect(TraceInvariants.violation(in: circle) == nil)
        #expect(circle.spans.filter { $0.parent == nil }.count == 1)
    }

    @Test("a span met again replaces what it was")
    func repeated() throws {
        let event = #""events":[{"timeUnixNano":"5","name":"tick"}]"#
        let imported = try read(
            T.document(T.span("ab", name: "half", end: 0, more: event)) + "\n"
                + T.document(T.span("ab", name: "whole", end: 9, more: event)) + "\n")
        #expect(imported.totals.spans == 1)
        #expect(imported.trace.spans[0].name == "whole")
        #expect(imported.trace.spans[0].end == 9)
        #expect(imported.trace.events.count == 1)
    }

    @Test("importing the same file again changes nothing")
    func sameFile() throws {
        let text = T.document(
            T.span("ab", parent: "cd", more: #""events":[{"timeUnixNano":"5","name":"tick"}]"#),
            T.span(
                "cd", T.attribute("gen_ai.operation.name", "chat"),
                T.attribute("gen_ai.input.messages", #"[{"role":"user","content":"hi"}]"#),
                T.attribute("gen_ai.output.messages", #"[{"role":"assistant","content":"ho"}]"#)))
        let once = try read(text).trace
        let twice = try read(text, stored: [once]).trace
        #expect(once.messages.count == 2)
        #expect(twice.spans == once.spans)
        #expect(twice.messages == once.messages)
        #expect(twice.events == once.events)
        #expect(twice.summary == once.summary)
    }

    @Test(
        "64-bit integers may be strings or numbers, and enumerations numbers or names",
        arguments: [
            (#""startTimeUnixNano":"1700000000000000001""#, #""status":{"code":2}"#),
            (#""startTimeUnixNano":1700000000000000001"#, #""status":{"code":"STATUS_CODE_ERROR"}"#),
            (#""startTimeUnixNano":1700000000000000001"#, #""status":{"code":"2"}"#),
        ])
    func leniency(start: String, status: String) throws {
        let usage = #"{"key":"gen_ai.usage.input_tokens","value":{"intValue":7}}"#
        let trace = try read(
            T.document(
                #"{"traceId":"aa","spanId":"bb","kind":"SPAN_KIND_CLIENT",\#(start),\#(status),"unknown":{"x":[1]},"#
                    + #""attributes":[\#(T.attribute("gen_ai.operation.name", "chat")),\#(usage)]}"#)
        ).trace
        #expect(trace.spans[0].start == 1_700_000_000_000_000_001)
        #expect(trace.spans[0].status == .error)
        #expect(trace.spans[0].usage?.input == 7)
        #expect(trace.spans[0].end == nil)
    }

    @Test("a span without its ids is skipped and counted")
    func withoutIDs() throws {
        let imported = try read(T.document(#"{"name":"lost"}"#, T.span("ab")))
        #expect(imported.totals.spans == 1)
        #expect(imported.skipped == 1)
        #expect(imported.problems.map(\.reason) == ["has a span without traceId or spanId"])
    }

    @Test(
        "an error has a text: the status's, the exception's or the type's",
        arguments: [
            (#""status":{"code":2,"message":"no\nroute"}"#, "", "no route"),
            (
                #""status":{"code":2},"events":[{"name":"exception","timeUnixNano":"1","attributes":["#
                    + #"{"key":"exception.type","value":{"stringValue":"KeyError"}},"#
                    + #"{"key":"exception.message","value":{"stringValue":"'x'"}}]}]"#, "", "KeyError: 'x'"
            ),
            (#""status":{}"#, T.attribute("error.type", "timeout"), "timeout"),
        ])
    func errors(more: String, attribute: String, text: String) throws {
        let imported = try read(
            T.document(T.span("ab", attribute.isEmpty ? T.attribute("a", "b") : attribute, more: more)))
        #expect(imported.trace.spans[0].status == .error)
        #expect(imported.trace.spans[0].error == text)
        #expect(imported.totals.errors == 1)
    }

    @Test("exceptions and evaluations are events of their kinds, and say what happened")
    func events() throws {
        let evaluation =
            #"{"name":"gen_ai.evaluation.result","timeUnixNano":"3","attributes":["#
            + T.attribute("gen_ai.evaluation.name", "relevance") + ","
            + T.attribute("gen_ai.evaluation.score.value", raw: #"{"doubleValue":0.5}"#) + ","
            + T.attribute("gen_ai.evaluation.score.label", "weak") + "]}"
        let imported = try read(
            T.document(T.span("ab", more: #""events":[{"name":"exception","timeUnixNano":"2"},\#(evaluation)]"#)))
        #expect(imported.trace.events.map(\.kind) == [.error, .evaluation])
        #expect(imported.trace.events.map(\.time) == [2, 3])
        #expect(
            try imported.sentence(imported.trace.events[1], with: OTLPImporter.self) == "relevance 0.5 weak")
        #expect(try imported.sentence(imported.trace.events[0], with: OTLPImporter.self) == "exception")
    }

    @Test("usage includes cached tokens already, and only calls and embeddings are added up")
    func usage() throws {
        let imported = try read(
            T.document(
                T.span(
                    "aa", T.attribute("gen_ai.operation.name", "invoke_agent"),
                    T.attribute("gen_ai.usage.input_tokens", 500)),
                T.span(
                    "ab", parent: "aa", T.attribute("gen_ai.operation.name", "chat"),
                    T.attribute("gen_ai.response.model", "gpt-4o-2024-08-06"),
                    T.attribute("gen_ai.usage.input_tokens", 100), T.attribute("gen_ai.usage.output_tokens", 10),
                    T.attribute("gen_ai.usage.cache_read.input_tokens", 60),
                    T.attribute("gen_ai.usage.reasoning.output_tokens", 4))))
        #expect(imported.totals.usage == Usage(input: 100, cacheRead: 60, output: 10, reasoning: 4))
        let cost = try #require(imported.totals.cost)
        #expect(abs(cost - (40 * 2.5 + 60 * 1.25 + 10 * 10) / 1e6) < 1e-12)
        #expect(imported.trace.spans[0].usage?.input == 500)
    }

    @Test("a recorded cost is believed before the price table")
    func recordedCost() throws {
        let trace = try read(
            T.document(
                T.span(
                    "ab", T.attribute("openinference.span.kind", "LLM"), T.attribute("llm.model_name", "gpt-4o"),
                    T.attribute("llm.token_count.prompt", 100),
                    T.attribute("llm.cost.total", raw: #"{"doubleValue":0.25}"#)))
        ).trace
        #expect(trace.spans[0].cost == 0.25)
        #expect(trace.spans[0].usage == Usage(input: 100))
    }

    @Test("tools and agents are called by their own names, and a trace by its root and its agent")
    func names() throws {
        let trace = try read(
            T.document(
                T.span("aa", name: "POST /ask"),
                T.span(
                    "ab", parent: "aa", name: "invoke_agent Ann", T.attribute("gen_ai.operation.name", "invoke_agent"),
                    T.attribute("gen_ai.agent.name", "Ann")),
                T.span(
                    "ac", parent: "ab", name: "execute_tool grep", T.attribute("gen_ai.operation.name", "execute_tool"),
                    T.attribute("gen_ai.tool.name", "grep")))
        ).trace
        #expect(trace.spans.map(\.name) == ["POST /ask", "Ann", "grep"])
        #expect(trace.summary.name == "POST /ask · Ann")
    }

    @Test("a tool's details are its arguments and its result, and other attributes are listed")
    func details() throws {
        let imported = try read(
            T.document(
                T.span(
                    "ab", T.attribute("gen_ai.operation.name", "execute_tool"),
                    T.attribute(
                        "gen_ai.tool.call.arguments",
                        raw:
                            #"{"kvlistValue":{"values":[{"key":"n","value":{"intValue":"3"}},{"key":"t","value":{"arrayValue":{"values":[{"boolValue":true}]}}}]}}"#
                    ),
                    T.attribute("gen_ai.tool.call.result", "found"), T.attribute("server.port", 80))))
        let details = try imported.details(imported.trace.spans[0], with: OTLPImporter.self)
        #expect(details.input == #"{"n":3,"t":[true]}"#)
        #expect(details.output == "found")
        #expect(details.attributes.contains(.init("server.port", "80")))
        #expect(!details.attributes.contains { $0.name == "gen_ai.tool.call.result" })
    }

    @Test("retrieved documents are listed by their index, whatever the order of the attributes")
    func documents() throws {
        let imported = try read(
            T.document(
                T.span(
                    "ab", T.attribute("openinference.span.kind", "RETRIEVER"), T.attribute("input.value", "why"),
                    T.attribute("retrieval.documents.1.document.content", "second"),
                    T.attribute("retrieval.documents.0.document.id", "d7"),
                    T.attribute("retrieval.documents.0.document.score", raw: #"{"doubleValue":0.5}"#),
                    T.attribute("retrieval.documents.0.document.content", "first"))))
        #expect(imported.trace.spans[0].kind == .retrieval)
        let details = try imported.details(imported.trace.spans[0], with: OTLPImporter.self)
        #expect(details.input == "why")
        #expect(details.output == "1. d7 (score 0.5)\nfirst\n\n2. document\nsecond")
    }
}

@Suite("OTLP: kinds")
struct OTLPKindTests {
    @Test(
        "what a span is, from what it says",
        arguments: [
            (["openinference.span.kind": "LLM"], SpanKind.model), (["openinference.span.kind": "tool"], .tool),
            (["openinference.span.kind": "AGENT"], .agent), (["openinference.span.kind": "RETRIEVER"], .retrieval),
            (["openinference.span.kind": "RERANKER"], .reranker),
            (["openinference.span.kind": "EMBEDDING"], .embedding),
            (["openinference.span.kind": "GUARDRAIL"], .guardrail),
            (["openinference.span.kind": "EVALUATOR"], .evaluator), (["openinference.span.kind": "CHAIN"], .chain),
            (["openinference.span.kind": "PROMPT"], .chain),
            (["openinference.span.kind": "UNKNOWN", "gen_ai.operation.name": "chat"], .model),
            (["gen_ai.operation.name": "text_completion"], .model),
            (["gen_ai.operation.name": "generate_content"], .model),
            (["gen_ai.operation.name": "embeddings"], .embedding),
            (["gen_ai.operation.name": "retrieval"], .retrieval),
            (["gen_ai.operation.name": "execute_tool"], .tool), (["gen_ai.operation.name": "create_agent"], .agent),
            (["gen_ai.operation.name": "invoke_workflow"], .chain), (["gen_ai.operation.name": "plan"], .chain),
            (["langsmith.span.kind": "llm"], .model), (["langsmith.span.kind": "retriever"], .retrieval),
            (["langsmith.span.kind": "parser"], .chain),
            (["ai.operationId": "ai.generateText.doGenerate"], .model),
            (["ai.operationId": "ai.streamText.doStream"], .model),
            (["ai.operationId": "ai.embed.doEmbed"], .embedding),
            (["ai.operationId": "ai.toolCall"], .tool), (["ai.operationId": "ai.generateText"], .chain),
            (["mcp.method.name": "tools/call"], .tool), (["mcp.method.name": "tools/list"], .other),
            (["gen_ai.tool.call.id": "c1"], .tool), (["gen_ai.request.model": "m"], .model),
            (["gen_ai.prompt.0.content": "x"], .model), (["http.method": "GET"], .other),
        ])
    func kind(attributes: [String: String], kind: SpanKind) throws {
        let list = attributes.sorted { $0.key < $1.key }.map { T.attribute($0.key, $0.value) }.joined(separator: ",")
        let imported = try importing(T.document(T.span("ab", list)), with: OTLPImporter.self)
        #expect(imported.trace.spans[0].kind == kind)
    }
}
