internal import Configuration
internal import JSON
internal import Retrieval
internal import System
internal import Workspace

extension OrreryTask {
    /// Returns a row for each question of a set: `id`, `question`, `gold`, and `documents`, the names of relevant
    /// documents.
    func questions(_ name: String, _ workspace: Workspace) throws(Problem) -> [DataRow] {
        let store = CorpusStore(workspace)
        let set: QuestionSet
        do {
            let sets = try store.questionSets()
            guard let found = sets.first(where: { $0.name == name }) else {
                let near = NearestName.suggestion(for: name, among: sets.map(\.name))
                throw file.error(
                    "data.questions", "unknown question set \(name)",
                    near
                        ?? (sets.isEmpty
                            ? "The workspace has no question sets."
                            : "Available: \(sets.map(\.name).joined(separator: ", "))."))
            }
            set = try store.questions(in: found.id)
        } catch let error as Problem {
            throw error
        } catch {
            throw file.error("data.questions", "the questions cannot be read: \(error)")
        }
        return set.cases.map { one in
            let gold = one.gold.map { gold in
                var members = [
                    JSONValue.Member(key: "document", value: .string(gold.document)),
                    .init(key: "grade", value: .integer(gold.grade)),
                ]
                if let range = gold.range {
                    members.append(.init(key: "start", value: .integer(range.lowerBound)))
                    members.append(.init(key: "end", value: .integer(range.upperBound)))
                }
                return JSONValue.object(members)
            }
            var documents: [String] = []
            for gold in one.gold where !documents.contains(gold.document) { documents.append(gold.document) }
            return DataRow(
                fields: .object([
                    .init(key: "id", value: .string(one.id)), .init(key: "question", value: .string(one.question)),
                    .init(key: "gold", value: .array(gold)),
                    .init(key: "documents", value: .array(documents.map { .string($0) })),
                ]), line: nil)
        }
    }
}
