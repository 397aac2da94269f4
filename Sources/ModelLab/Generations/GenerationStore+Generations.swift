internal import Foundation
internal import GRDB
internal import Glibc
internal import LanguageModels
internal import Workspace

extension GenerationStore {
    /// Returns the generations of a session, oldest first.
    public func generations(of session: Int64) throws -> [GenerationSummary] {
        try workspace.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, parent, branch_step, specification, model, started, outcome, substr(text, 1, 200) AS text,
                    step_count FROM model_generation WHERE session = ? AND deleted IS NULL ORDER BY id
                    """, arguments: [session]
            ).map(Self.summary)
        }
    }

    /// Returns a complete generation; `nil` if the row does not exist.
    public func generation(_ id: Int64) throws -> Generation? {
        try workspace.read { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT * FROM model_generation WHERE id = ?", arguments: [id])
            else { return nil }
            let summary = Self.summary(row)
            let document =
                (try? PromptDocument(stored: row["document"])) ?? PromptDocument(model: summary.specification)
            var generation = Generation(
                id: id, session: row["session"], parent: summary.parent, document: document, model: summary.model,
                reasoning: row["reasoning"], toolCalls: ToolCallCoding.decode(row["tool_calls"]),
                started: summary.started, outcome: summary.outcome)
            let runs = try Row.fetchAll(
                db, sql: "SELECT first, steps FROM model_steps WHERE generation = ? ORDER BY first", arguments: [id])
            for run in runs {
                let first: Int = run["first"]
                let blob: Data = run["steps"]
                if first < 0 {
                    generation.prompt = try StepCoding.decodePrompt(Array(blob))
                } else {
                    generation.steps += try StepCoding.decodeSteps(Array(blob))
                }
            }
            return generation
        }
    }

    /// Keeps an answer: a new one gets its row, of a known one what came since `keptSteps`.
    ///
    /// - Parameter keptSteps: Number of steps that are already stored.
    /// - Returns: Row of the generation.
    @discardableResult
    public func save(_ generation: Generation, keptSteps: Int = 0) throws -> Int64 {
        let fresh = generation.steps.dropFirst(keptSteps)
        let steps = fresh.isEmpty ? nil : Data(try StepCoding.encode(fresh))
        let isNew = generation.id == 0
        let prompt =
            keptSteps == 0 && !generation.prompt.isEmpty ? Data(try StepCoding.encode(prompt: generation.prompt)) : nil
        return try workspace.write { db in
            let id = isNew ? try Self.insert(generation, db) : generation.id
            if !isNew {
                try db.execute(
                    sql: """
                        UPDATE model_generation SET model = ?, outcome = ?, text = ?, reasoning = ?, tool_calls = ?,
                        step_count = ? WHERE id = ?
                        """,
                    arguments: [
                        generation.model, generation.outcome.text, generation.text, generation.reasoning,
                        ToolCallCoding.encode(generation.toolCalls), generation.steps.count, id,
                    ])
            }
            let insert = "INSERT OR REPLACE INTO model_steps (generation, first, steps) VALUES (?, ?, ?)"
            if let prompt { try db.execute(sql: insert, arguments: [id, -1, prompt]) }
            if let steps { try db.execute(sql: insert, arguments: [id, keptSteps, steps]) }
            return id
        }
    }

    private static func insert(_ generation: Generation, _ db: Database) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT INTO model_generation (session, parent, branch_step, specification, model, document, started,
                outcome, text, reasoning, tool_calls, step_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                generation.session, generation.parent?.generation, generation.parent?.step, generation.document.model,
                generation.model, generation.document.text, generation.started, generation.outcome.text,
                generation.text, generation.reasoning, ToolCallCoding.encode(generation.toolCalls),
                generation.steps.count,
            ])
        return db.lastInsertedRowID
    }

    /// Removes an answer from the lists; its branches stay, and `restoreGeneration` restores it.
    public func deleteGeneration(_ id: Int64, at time: Int64) throws {
        try workspace.write { db in
            try db.execute(sql: "UPDATE model_generation SET deleted = ? WHERE id = ?", arguments: [time, id])
        }
    }

    /// Marks answers that were cut off with the program as such.
    ///
    /// - Parameter running: Generations that are still running in this process.
    public func closeInterrupted(except running: Set<Int64> = []) throws {
        let cut = Generation.Outcome(
            .failed, finish: "interrupted", problem: "Orrery exited while the model was generating")
        try workspace.write { db in
            let open = try Row.fetchAll(
                db, sql: "SELECT id, outcome FROM model_generation WHERE outcome LIKE '%\"state\":\"running\"%'")
            for row in open where !running.contains(row["id"]) {
                // Another window, or this one, may be getting it.
                if let process = Generation.Outcome(text: row["outcome"]).process, kill(process, 0) == 0 { continue }
                try db.execute(
                    sql: "UPDATE model_generation SET outcome = ? WHERE id = ?",
                    arguments: [cut.text, row["id"] as Int64])
            }
        }
    }

    private static func summary(_ row: Row) -> GenerationSummary {
        let parent: Int64? = row["parent"]
        let step: Int? = row["branch_step"]
        return GenerationSummary(
            id: row["id"], parent: parent.flatMap { parent in step.map { .init(generation: parent, step: $0) } },
            specification: row["specification"], model: row["model"], started: row["started"],
            outcome: Generation.Outcome(text: row["outcome"]), caption: row["text"], stepCount: row["step_count"])
    }
}
