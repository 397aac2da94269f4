import ArgumentParser
import CommandSupport
import Console
import Evals
import JSON
import System
import Tables

extension EvalCommand {
    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain", abstract: "Explain terms of task files: scorers, metrics, and keys.",
            discussion: """
                orrery eval explain task: all keys of a task file
                orrery eval explain data: the keys of one section
                orrery eval explain program: the protocol of external programs
                orrery eval explain gate: the conditions of eval diff
                orrery eval explain regex: one scorer

                A complete task, capitals.toml:

                prompt = "What is the capital of {{ country }}?"
                target = "{{ capital }}"
                [data]
                rows = [{ country = "France", capital = "Paris" }, { country = "Peru", capital = "Lima" }]
                [[scorers]]
                kind = "contains"
                """)

        @Argument(
            help:
                "Term: scorers, metrics, task, program, gate, a section, or name.",
            completion: .list(words))
        var word: String?

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                switch word {
                case nil, "scorers"?: try list(Scorers.kinds.map { ($0.name, $0.summary) })
                case "metrics"?: try list(Metrics.all.map { ($0.kind.name, $0.kind.summary) })
                case "program"?: try tell("program", Self.program)
                case "gate"?: try tell("gate", Self.gate)
                case "task"?, "keys"?: try tell("task", Self.example + OrreryTaskFormat.explanation)
                case let word?: try one(word)
                }
                if word == nil, !output.json { Output.note(Self.others) }
            }
        }

        /// All terms that can be explained.
        private static var words: [String] {
            let names = Scorers.kinds.map(\.name) + Metrics.all.map { $0.kind.name } + OrreryTaskFormat.words
            return ["scorers", "metrics", "task", "program", "gate"] + Set(names).sorted()
        }

        /// Hint below the list of scorers.
        private static let others = """
            More: orrery eval explain metrics, task (all keys of a task file, with an example), program (the protocol of
            external programs), gate (the conditions of eval diff), and each scorer and metric by name.
            Tasks from lm-evaluation-harness can read JSON, JSON Lines, and CSV. Convert Parquet to JSON Lines first.
            """

        /// Text above the keys.
        private static let example = """
            # A complete task:
            #
            #   prompt = "What is the capital of {{ country }}?"
            #   target = "{{ capital }}"
            #   slices = ["continent"]
            #   [data]
            #   rows = [{ country = "France", capital = "Paris", continent = "Europe" }]
            #   [[scorers]]
            #   kind = "contains"
            #
            # orrery eval run capitals.toml --model exec:./solve.py


            """

        /// The conditions of `eval diff`.
        private static let gate = """
            orrery eval diff A B --gate "accuracy>=-0.02,seconds<=1" reports whether B may replace A. If a condition
            fails, the exit status is 3; if the result is undecided, it is 2.

            A condition is a measure, >= or <=, and a number. It bounds the difference B - A, not the value of B:
            accuracy>=-0.02 allows B to be up to 2 points worse than A; seconds<=1 allows up to one second more per
            sample. Measures are accuracy, each score by its name, seconds, tokens, and cost.
            """

        /// Protocol of `exec:` programs, with an example of each line.
        private static let program = """
            For --model exec:./solve.py and for scorers of kind exec (program = "./score.py"), Orrery starts the
            program once and keeps it running. The program reads one line of JSON per sample and writes one line. Its
            standard error is stored with the sample. Write output unbuffered.

            Each line, including the start of the program, may take 60 seconds. To change the limit, set timeout in
            [program] of the task or in the scorer, or use eval run --program-seconds. A program that exceeds the
            limit is killed, and the sample ends in an error. A program that exits without an answer is restarted and
            receives the same line once more; if it exits again, the sample ends in an error with the exit status and
            standard error. After 10 samples in a row without an answer, the run stops. Agents and pipelines start a
            new program for every request.

            Every line has a number, line_id. A program that returns line_id may answer late or more than once: output
            for an earlier line is dropped. A program that does not return line_id must write exactly one line for
            each line that it reads. Otherwise, it is stopped, and if the extra output came with an answer, the sample
            ends in an error.

            A solver reads   {"version": 1, "line_id": 12, "kind": "solve", "id": "q1", "epoch": 1, "seed": 7,
                              "input": "2 + 2?", "messages": [...], "choices": [...], "fields": {...}, "request": "generation"}
            and writes       {"answer": "4"}         or, better, {"line_id": 12, "answer": "4"}
            or more          {"answers": ["4"], "messages": [...], "usage": {"input_tokens": 9, "output_tokens": 1},
                              "steps": [{"tool": "search", "arguments": {}, "result": "...", "error": false,
                                         "seconds": 0.2}]}
            or               {"error": "why not"}

            A scorer reads   {"version": 1, "line_id": 12, "kind": "score", "id": "q1", "input": "...", "targets": ["4"], "answer": "4",
                              "answers": [...], "messages": [...], "choices": [...], "fields": {...}}
            and writes       {"score": 0.5, "label": "half", "explanation": "why"}
            or more          {"scores": [{"name": "style", "score": 1}, {"name": "facts", "score": 0}]}
            or               {"error": "why not"}

            A judge (--judge exec:./judge.py) reads
                             {"version": 1, "line_id": 12, "kind": "judge", "input": "...", "seed": 7, "messages": [...]}
            where input describes what to judge and ends with the expected object, {"id": "8c1f...", ...}. The judge
            writes this object as its answer, with the same id:
                             {"answer": {"id": "8c1f...", "reason": "why", "score": 4}}
            or, for eval judge prefer,
                             {"answer": {"id": "8c1f...", "reason": "why", "verdict": "first"}}
            or               {"error": "why not"}
            The object may also be a JSON string. If it is missing or off the scale, the sample gets no score from the
            judge.

            Answers are cached as long as the program's own files are unchanged. Changes in imported files are not
            detected; use --no-cache to run the program again.
            """

        private func list(_ kinds: [(name: String, summary: String)]) throws {
            try Report(object: { json in for kind in kinds { json.member(kind.name, kind.summary) } }) {
                PlainTable.text([["name", "what it does"]] + kinds.map { [$0.name, $0.summary] }, [.left, .left])
            }.print(as: output.form)
        }

        private func tell(_ word: String, _ text: String) throws {
            try Report(
                object: {
                    $0.member("word", word)
                    $0.member("text", text)
                }
            ) { text }.print(as: output.form)
        }

        private func one(_ word: String) throws {
            let meanings = EvalMeanings(of: word)
            guard !meanings.isEmpty else {
                throw Problem(
                    .unknown, "", "unknown term \"\(word)\"",
                    remedy: "To list all terms, run: orrery eval explain scorers, orrery eval explain metrics, or "
                        + "orrery eval explain task")
            }
            output.json ? Output.json(meanings) : Output.result(meanings.text)
        }
    }
}
