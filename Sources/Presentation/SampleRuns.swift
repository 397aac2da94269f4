public import Traces

/// Names and notes for the sample runs, which were recorded without titles.
public enum SampleRuns {
    private struct Sample {
        /// Prefix of the run's identifier.
        var id: String
        var name: String
        var note: String
    }

    private static let samples = [
        Sample(
            id: "decade0f", name: "duty-engineer: why does the dome shutter jam?",
            note:
                "Sample. An agent delegates to two others: one reads manuals, one queries the night log. A query names a "
                + "column that does not exist."),
        Sample(
            id: "0ddba115", name: "reindexer: asks about one job 23 times",
            note:
                "Sample. The first answer explains why the job never starts, but the agent ignores it and loops until the "
                + "step limit."),
        Sample(
            id: "ca11ab1e", name: "salgueira: why is the old tide record 26 cm low?",
            note: "Sample. A research agent with two sub-agents; two of its sources differ by a factor of ten."),
        Sample(
            id: "7e57ab1e", name: "tidebook: the low water at midnight is lost",
            note:
                "Sample. A coding agent fixes a tide table: eight failed tool calls, three wrong turns, one compaction."
        ),
        Sample(
            id: "01dc0de5", name: "museum: shorten the signs",
            note: "Sample. A small service that uses the 2024 attribute names; one call hits a rate limit."),
    ]

    /// Sets the names and notes of the sample runs in a store.
    public static func describe(in store: TraceStore) throws {
        for sample in samples {
            do {
                let run = try store.find(sample.id)
                try store.describe(run.id, name: sample.name, note: sample.note)
            } catch is TraceReferenceError {
                // The user has deleted this run from the sample data.
                continue
            }
        }
    }
}
