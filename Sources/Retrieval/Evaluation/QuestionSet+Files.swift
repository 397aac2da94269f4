public import JSON
public import System

extension QuestionSet {
    /// Reads JSON lines.
    ///
    /// - Parameter place: The file's name, for errors.
    public init(parsing bytes: [UInt8], _ place: String = "questions") throws(Problem) {
        self.init()
        let parser = JSONParser(maximumDepth: 64)
        var lines = LineFields(bytes, place)
        var names: Set<String> = []
        var read: [Case] = []
        while let line = lines.next() {
            let one: Case
            do {
                one = try line.withUnsafeBufferPointer { try Self.read(try parser.parse($0), lines) }
            } catch let error as Problem {
                throw error
            } catch let error as JSONError {
                throw lines.failure("invalid JSON (\(error.sentence.dropLast()))", "Each line must be a JSON object.")
            } catch {
                throw lines.failure("the line cannot be read", "Each line must be a JSON object.")
            }
            guard names.insert(one.id).inserted else {
                throw lines.failure("duplicate case \(one.id)", "Give each case a unique id.")
            }
            do throws(Problem) { try Self.check(one) } catch {
                throw lines.failure("\(error.subject): \(error.what)", error.remedy ?? "")
            }
            read.append(one)
        }
        append(checked: read)
    }

    private static func read(_ node: JSONNode, _ lines: LineFields) throws(Problem) -> Case {
        guard let id = node["id"]?.string ?? node["_id"]?.string,
            let question = node["question"]?.string ?? node["text"]?.string
        else {
            throw lines.failure("id or question is missing", "Each line needs id, question, and gold.")
        }
        var one = Case(id: id, question: question, gold: [])
        guard let gold = node["gold"], gold.kind == .array else {
            throw lines.failure("gold is missing", "Add an array of documents or parts of documents.")
        }
        try gold.forEachElement { item throws(Problem) in
            guard let document = item["document"]?.string else {
                throw lines.failure("a gold entry has no document", "Name the document.")
            }
            var range: Range<Int>?
            if item["start"] != nil || item["end"] != nil {
                guard let start = item["start"]?.int, let end = item["end"]?.int, start >= 0, start < end else {
                    throw lines.failure(
                        "the part of \(document) needs start and end", "Set both, with the end after the start.")
                }
                range = Int(start)..<Int(end)
            }
            var grade: Int64 = 1
            if let given = item["grade"] {
                guard let number = given.int else {
                    throw lines.failure("the grade of \(document) is not a whole number", "Use 1 or more.")
                }
                grade = number
            }
            one.gold.append(Gold(document, range: range, grade: Int(grade)))
        }
        return one
    }

    /// JSON lines, one case each.
    public var text: String { cases.map { $0.json() + "\n" }.joined() }
}

extension QuestionSet.Case: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("question", question)
            $0.key("gold")
            $0.array { json in
                for gold in gold {
                    json.object {
                        $0.member("document", gold.document)
                        if let range = gold.range {
                            $0.member("start", range.lowerBound)
                            $0.member("end", range.upperBound)
                        }
                        if gold.grade != 1 || gold.range == nil { $0.member("grade", gold.grade) }
                    }
                }
            }
        }
    }
}
