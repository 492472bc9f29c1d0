// The plugin that makes the kernel known to JupyterLite.

import { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IKernelClient, IKernelSpecs } from '@jupyterlite/services';

import { SymmomKernel } from './kernel';

const plugin: JupyterFrontEndPlugin<void> = {
  id: 'symmom-lite:kernel',
  autoStart: true,
  requires: [IKernelSpecs, IKernelClient],
  activate: (app: JupyterFrontEnd, specs: IKernelSpecs, client: IKernelClient) => {
    const kernels = new Map<string, SymmomKernel>();
    SymmomKernel.prepare();
    specs.register({
      spec: {
        name: 'symmom',
        display_name: 'Go (symmom)',
        language: 'go',
        argv: [],
        resources: {
          'logo-32x32': new URL('../style/logo-32x32.png', import.meta.url).href,
          'logo-64x64': new URL('../style/logo-64x64.png', import.meta.url).href
        }
      },
      create: async options => {
        const kernel = new SymmomKernel(options, app.serviceManager.contents);
        kernels.set(kernel.id, kernel);
        kernel.disposed.connect(() => {
          if (kernels.get(kernel.id) === kernel) {
            kernels.delete(kernel.id);
          }
        });
        return kernel;
      }
    });
    // JupyterLite's own interrupt drops the cells that wait, and does not tell the
    // kernel.
    const interrupt = client.interrupt.bind(client);
    client.interrupt = async (id: string) => {
      kernels.get(id)?.interrupt();
      return interrupt(id);
    };
  }
};

export default plugin;
