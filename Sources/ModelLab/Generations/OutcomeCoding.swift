internal import JSON
internal import LanguageModels

extension Generation.Outcome {
    /// As it is kept.
    var text: String {
        var json = JSONWriter()
        json.object { json in
            json.member("state", state.rawValue)
            json.member("finish", finish)
            json.member("seconds", ifPresent: seconds)
            json.member("first", ifPresent: secondsToFirstToken)
            json.member("problem", ifPresent: problem)
            json.member("process", ifPresent: process.map { Int($0) })
            if let usage {
                json.member("usage") { json in
                    json.array {
                        for count in [
                            usage.input, usage.cacheRead, usage.cacheWrite, usage.output, usage.reasoning,
                        ] { $0.integer(count) }
                    }
                }
            }
        }
        return json.text
    }

    init(text: String) {
        guard let document = try? JSONDocument(parsing: text) else {
            self.init(.failed, problem: "the stored outcome is corrupt")
            return
        }
        self = document.withRoot { root in
            let counts = root["usage"]?.elements.map { Int($0.int ?? 0) } ?? []
            return Generation.Outcome(
                root["state"]?.string.flatMap(State.init(rawValue:)) ?? .failed, finish: root["finish"]?.string ?? "",
                usage: counts.count == 5
                    ? Usage(
                        input: counts[0], cacheRead: counts[1], cacheWrite: counts[2], output: counts[3],
                        reasoning: counts[4]) : nil,
                seconds: root["seconds"]?.double, secondsToFirstToken: root["first"]?.double,
                problem: root["problem"]?.string,
                process: root["process"]?.int.flatMap { Int32(exactly: $0) })
        }
    }
}
