import Foundation
import PlimsollCommands

exit(await Program.run(Array(CommandLine.arguments.dropFirst())))
