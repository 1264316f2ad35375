// Reads a module, captures, fuses, and prints it.
#include "seamscope/mlir/Passes.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

int main(int, char **Arguments) {
  mlir::DialectRegistry Registry;
  mlir::registerAllDialects(Registry);
  mlir::MLIRContext Context(Registry);
  mlir::OwningOpRef<mlir::ModuleOp> Module =
      mlir::parseSourceFile<mlir::ModuleOp>(Arguments[1], &Context);
  if (!Module)
    return 1;
  mlir::PassManager Passes(&Context);
  Passes.addPass(seamscope::mlir_passes::createCapturePass());
  Passes.addPass(mlir::createLinalgElementwiseOpFusionPass());
  seamscope::mlir_passes::InstrumentPassOptions Options;
  Options.level = "function";
  Passes.addPass(seamscope::mlir_passes::createInstrumentPass(Options));
  if (mlir::failed(Passes.run(*Module)))
    return 1;
  Module->print(llvm::outs());
}
