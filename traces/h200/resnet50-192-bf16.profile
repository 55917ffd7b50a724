vdnn-profile 2
key NVIDIA H200, CUDA 13.0, driver 13.0, capability 9.0, cuBLAS 130100, cuDNN 91900, 1 threads
device cuda nchw fused 1 150109880320 149425356800 107585739160
rate copy_both_bytes_per_second 99249983953.537689
rate copy_in_beside_bytes_per_second 53364908753.73806
rate copy_in_bytes_per_second 53602697990.435402
rate copy_in_slows_moves 1.1150559920969292
rate copy_in_slows_products 1
rate copy_latency_seconds 2.8479993343353302e-06
rate copy_out_beside_bytes_per_second 55069860066.024117
rate copy_out_bytes_per_second 55533102007.501526
rate copy_out_slows_moves 1.0162943671912299
rate copy_out_slows_products 1
rate elementwise_bytes_per_second 4182071786026.3511
rate launch_seconds 3.2914998009800907e-06
row add()x=192x1024x14x14:bf16:nchw+192x1024x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=11;needs=0,0;relu forward native 192 5.4532486014068135e-05 0
row add()x=192x1024x14x14:bf16:nchw+192x1024x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=11;needs=0,0;relu backward_data native 192 3.661249857395888e-05 0
row add()x=192x1024x14x14:bf16:nhwc+192x1024x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=11;needs=0,0;relu forward native 192 5.5383006110787388e-05 0
row add()x=192x1024x14x14:bf16:nhwc+192x1024x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=11;needs=0,0;relu backward_data native 192 3.6311009898781805e-05 0
row add()x=192x2048x7x7:bf16:nchw+192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=11;needs=0,0 forward native 192 2.7396488003432775e-05 0
row add()x=192x2048x7x7:bf16:nchw+192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=11;needs=0,0 backward_data native 192 1.782851200550795e-05 0
row add()x=192x2048x7x7:bf16:nchw+192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=11;needs=0,0;relu forward native 192 2.7396488003432775e-05 0
row add()x=192x2048x7x7:bf16:nchw+192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=11;needs=0,0;relu backward_data native 192 1.782851200550795e-05 0
row add()x=192x2048x7x7:bf16:nhwc+192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=11;needs=0,0 forward native 192 2.8950998559594203e-05 0
row add()x=192x2048x7x7:bf16:nhwc+192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=11;needs=0,0 backward_data native 192 1.7527023330330875e-05 0
row add()x=192x2048x7x7:bf16:nhwc+192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=11;needs=0,0;relu forward native 192 2.7511009946465507e-05 0
row add()x=192x2048x7x7:bf16:nhwc+192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=11;needs=0,0;relu backward_data native 192 1.7527023330330875e-05 0
row add()x=192x256x56x56:bf16:nchw+192x256x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=11;needs=0,0;relu forward native 192 0.00021232448797672991 0
row add()x=192x256x56x56:bf16:nchw+192x256x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=11;needs=0,0;relu backward_data native 192 0.00014362050872296093 0
row add()x=192x256x56x56:bf16:nhwc+192x256x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=11;needs=0,0;relu forward native 192 0.00021218300797045233 0
row add()x=192x256x56x56:bf16:nhwc+192x256x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=11;needs=0,0;relu backward_data native 192 0.00014338297583162785 0
row add()x=192x512x28x28:bf16:nchw+192x512x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=11;needs=0,0;relu forward native 192 0.00010698049049824475 0
row add()x=192x512x28x28:bf16:nchw+192x512x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=11;needs=0,0;relu backward_data native 192 7.3028492741286744e-05 0
row add()x=192x512x28x28:bf16:nhwc+192x512x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=11;needs=0,0;relu forward native 192 0.0001071910057216883 0
row add()x=192x512x28x28:bf16:nhwc+192x512x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=11;needs=0,0;relu backward_data native 192 7.1414986625313747e-05 0
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x1024x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=13,0 forward native 192 0.00020554049592465162 49152
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x1024x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=13,0 backward_data native 192 0.00029654853325337174 49152
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x1024x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=13,0 forward native 192 0.00011701498366892338 1228800
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x1024x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=13,0 backward_data native 192 0.00019269500114023688 1228800
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=13,0;relu forward native 192 6.8708497099578426e-05 34816
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 9.6132504753768439e-05 34816
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 5.6758979335427282e-05 604160
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 9.0711006894707684e-05 604160
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=13,0;relu forward native 192 0.00019280450325459246 34816
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 0.00024758850317448377 34816
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 0.00024213496781885622 2099200
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 0.00044504697062075136 2099200
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=13,0 forward native 192 0.00017610051017254594 65536
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=13,0 backward_data native 192 0.00023571647983044392 65536
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=13,0 forward native 192 6.7191014066338522e-05 655360
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=13,0 backward_data native 192 0.00011032701469957828 655360
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=13,0;relu forward native 192 5.7252499274909454e-05 24576
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 7.6804491691291352e-05 24576
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 3.8999000564217581e-05 307200
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 6.0567015781998631e-05 307200
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=13,0;relu forward native 192 0.00011603649239987135 36864
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 0.00015219651442021138 36864
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 0.00010607100464403626 1208320
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 0.00016056699492037293 1208320
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=13,0 forward native 192 0.00033744450192898509 36864
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=13,0 backward_data native 192 0.00042643647175282244 36864
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=13,0 forward native 192 0.00034949497319757943 2101248
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=13,0 backward_data native 192 0.00063343099690973763 2101248
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=13,0;relu forward native 192 0.0001124845026060939 40960
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 0.0001618604836985469 40960
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 6.1142990365624408e-05 614400
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 0.00010834301449358463 614400
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=13,0 forward native 192 0.00019546048622578384 40960
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=13,0 backward_data native 192 0.00027133252006024118 40960
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=13,0 forward native 192 0.0002397669944912195 2105344
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=13,0 backward_data native 192 0.00044703103043138985 2105344
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=13,0;relu forward native 192 5.1652493886649601e-05 24576
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 6.3140499405562865e-05 24576
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 2.687100507318974e-05 163840
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 4.3543005362153084e-05 163840
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x112x112:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=1;needs=13,0 forward native 192 0.00033165248017758133 33792
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x112x112:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=1;needs=13,0 backward_data native 192 0.00042282049637287853 33792
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x112x112:bf16:nhwc;y=192x64x112x112:bf16:nhwc;dx=1;needs=13,0 forward native 192 0.0003394789788872004 2098176
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x112x112:bf16:nhwc;y=192x64x112x112:bf16:nhwc;dx=1;needs=13,0 backward_data native 192 0.00061928699351847184 2098176
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=13,0;relu forward native 192 0.00011408449988812209 33792
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 0.00014730049949139359 33792
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 0.0001053029987961054 1205248
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 0.00015861500240862367 1205248
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00074234049301594499 19791872 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00072458048444241289 524288
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00014883651118725543 96862355
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0043549806950613857 664272896 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.011942404854111372 650510336 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0018436847804114229 624640
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0002716524777933955 2129920
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0018048044918105009 0
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00011219649296253919 524288
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0043884525178000339 664272896 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.011886212932877241 650510336 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0021892200587317343 724992 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00033584453444927928 3735552 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0021959724305197601 0
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00013482050877064469 100532799
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0039395885346457365 664272896 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0098675886271521462 650510336 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0018162284968420862 100352
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.000400036501698196 8028160
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.011380548912100493 0
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0030947565911337736 33554432
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0009501990173012018 524288 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 3.7942955270409559e-05 524288
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 4.0054986253380762e-05 524288
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 3.3367047086358115e-05 524288
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 3.4102985635399849e-05 524288
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 3.6470988765358911e-05 13107472
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 3.3654997125267981e-05 0
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0014495084462687372 39583744 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0016044204412028196 1048576
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00026358850579708812 232259731
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0025489970324561002 1249280
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00043888448458164928 4259840
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0046265322742983705 0
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00031958850007504224 232259731
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0027370921252295385 1449984
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00082522045355290171 7471104
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.015676772910170257 0
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00025872449856251478 239600191
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0022361646769568323 200704
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00048877249937504528 9633792
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.010846340614371001 0
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0057458925722166905 67108864
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0018445348832756281 1048576
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 6.5078983083367373e-05 1048707
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0014927907083183527 1249280 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00027503097988665104 4259840 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_all 192 0.00019957498647272588 39583744 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00010562298633158206 1048707
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.002085206994786858 1249280 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.00070043898560106762 4259840 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_all 192 0.00063032699562609183 39583744 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.1302979961037626e-05 8389167
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0015176868531852957 200704
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00028011898137629034 3211264
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_all 192 0.00018946299888193609 38535168
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0018054445860907437 308346880
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015433645425364376 65536
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00011712448578327888 462487699
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.012476740228943527 916586496 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.023774339783005416 856719360 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0023790126917883755 1671168
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0012552685020491483 25755648
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0045244204578921195 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00012339650373905897 65808
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.012294212329201399 916586496 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.023560261356644331 856719360 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0021783405421301723 3276800 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0010986925242468717 51445760 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.004761604475788773 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.0001454764483496547 25231360
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.012329828727059067 916586496 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.022087715971283613 856719360 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0031692525027319793 1605632
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0017678445456549526 38535168 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.16292803006153556 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.005986244696192443 4194304
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0018908070120960477 65536 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00011768699623644354 65808
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.00012005499936640261 65536
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00013272700645029545 65667
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.00012831101752817627 65536
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00013375101424753662 3474063
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.00011903099156916143 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00095562045555561777 154271744
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00076998852472752325 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 7.5364517979323854e-05 192807059
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0054036846039816734 460128256 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.012414052355103193 434323456 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0018335729716345665 933888
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0006465644715353846 12976128
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0022475884137675168 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 5.8020520024001626e-05 131344
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0052682926533743745 460128256 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.011866596329025923 434323456 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0016438766596838829 1736704 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00059952454548329107 25821184 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0023538285968825222 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00010074048023670912 50462720
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0052156203864142303 460128256 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.010798916923813521 434323456 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.002048868763260543 802816
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00087744455318897966 16056320
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.041638758110813801 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0029481964288279412 8388608
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.00093368704058229912 131072 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 5.4550955072045326e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 5.5287012830376634e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 5.7366976514458704e-05 131344
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 5.8198997750878372e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 5.723900534212589e-05 8782096
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 5.4551014676690114e-05 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0016348524866625666 347111424 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015091885505244137 294912
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00014614849071949721 77660307
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 192 0.00042563651781529185 349470720 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0022766765234991911 137625600 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.005025476562790572 125829120 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0026370283244177709 2101248
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0013441325603052974 29196288
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0037463086722418666 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00014531652908772238 77660307
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 192 0.00041846849303692581 349470720 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0022367405174300078 137625600 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.0048266607401892545 125829120 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0019873324511572718 3907584
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00081674050074070686 58097664
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0040422124741598961 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00014560450892895459 85328551
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 192 0.00061626051645725965 349470720 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0020308524845167996 137625600 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0043100846884772184 125829120 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0028099881289526821 1806336
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0016748204706236722 32112640
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.039476260053925218 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0066224365113303069 18874368
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.001976662943139672 294912
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 6.9911012426018699e-05 295043
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.002575606832280755 2101248 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00134754298068583 29196288 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 6.9047013297677024e-05 295043
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.002071383008733392 3907584 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.00086136699654161943 58097664 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.0630997195839905e-05 8848039
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0025833511445671319 2396160
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.0013782309982925654 29491200
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0016498604891821743 347111424 brief
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015655725477263331 294912
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00023334850650280715 193265811
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0026644846079871059 2101248
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0013501165388152003 29196288
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0039387245951220395 0
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00028704445343464614 193265811
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0030704685328528276 3907584
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0017739244578406216 58097664
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.015005252736620605 0
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00023555650096386676 200934055
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0028583403704687954 1806336
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0016827565906569364 32112640
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.044526564168743787 0
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0074094444988295439 18874368
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0020407269392162561 294912
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 7.5703004375100166e-05 295043
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0026515750978142027 2101248 brief
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.0013554789517074824 29196288 brief
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00010923899151384831 295043
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0028305826280266054 3907584
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.0016386789474636316 58097664
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.7286988273262993e-05 8848039
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0026563429925590748 2396160
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.0014023270104080439 29491200
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00071750851254910228 11730944
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00070083649735897782 2097152
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 9.8340499214828056e-05 50266259
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.003170404302887619 449576960 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.010769540417008101 442695680 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0023819886324927212 2147328
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00050211650412529711 2899968
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.001677284556441009 0
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 9.0020495466887972e-05 50266259
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0034486764548346399 449576960 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.011060515987686811 442695680 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0024385324595496069 2197504
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00069709246139973403 3702784
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.002063652592711151 0
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.5796493105590353e-05 52363296
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0030044847605749962 449576960 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0088608046649023883 442695680 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0018034282801672819 50176
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00027187650185078391 4014080
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.0027656364915892482 0
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0028342764852568509 134217728 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.00091311099566519262 2097152 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 3.4422988072037705e-05 2097152
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 3.6790991201996768e-05 2097152
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 3.1735012307763072e-05 2097424
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 3.2183000817894939e-05 2097152
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 3.5798976197838797e-05 4194320
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 2.9623011127114317e-05 0
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0013810284910723569 23461888
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0014752685306593776 4194304
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.0001816685078665614 119799955
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0028598123667761682 4294656
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00091789250355213891 5799936
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0042342444537207483 0
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00021514050941914318 119799955
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0027895089266821741 4395008
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0011650285301730038 7405568
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.015401540624909104 0
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00016736449580639605 123994144
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0022506924746558072 100352
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00034128450136631724 4816896
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.0060253164647147061 0
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0057038445649668576 268435456 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0017961830887943506 4194304
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 6.4663002267479906e-05 4194435
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0015284066293388609 4294656 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00020984701253473761 5799936 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_all 192 0.00013109500147402285 23461888 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 9.5031002536416056e-05 4194435
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0019439268205314877 4294656 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.00042523897625505925 5799936 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_all 192 0.00034399099089205267 23461888 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 6.059897877275944e-05 8388624
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.001741366872563958 100352
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00021970299817621709 1605632
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_all 192 0.0001196709964424372 19267584
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00082803650479763749 77594624
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00075549246650189166 524288
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00011277251224964855 96862355
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0044527402995154265 664272896 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.012153061020188033 650510336 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0022997485278174277 925696
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00054877250175923117 6946816
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0021803244529291985 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00015149249415844681 524288
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0040627564070746299 664272896 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.010925252544693648 650510336 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.001768324482254684 1327104 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00042410053592175246 13369344 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0019321005223318936 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00013498051743954424 100532799
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0039689323781058198 664272896 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0099846440432593206 650510336 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0019599085925146942 401408
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00051395653467625388 8028160
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.011395812827162444 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0031498285410925747 33554432
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.00092603898979723453 524288 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 3.3975014463067035e-05 524288
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 3.5894999280571944e-05 524288
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 3.8775036111474068e-05 524288
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 4.0439004078507419e-05 524288
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 3.8679013028740867e-05 12058896
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 3.6374995484948158e-05 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0015923245130106808 154402816 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015225005326792598 262144
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 7.1012484841048688e-05 231473299
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0083961001513525833 892731392 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.020299107658676804 861765632 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0018838764308020482 1064960
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00066867651324719203 13107200
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.004457380580715836 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 8.6756515316665174e-05 262416
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.008323172795586288 892731392 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.02012778006773442 861765632 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0017172204134985811 1867776 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00064781253319233663 25952256 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0045250923214480284 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00013136451225727799 100925440
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.008278116452507674 892731392 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.017965765106491744 861765632 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.002101348507218063 802816
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00097850053291767851 19267584
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.041133187520317728 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0058281963942572474 16777216
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0018526310715824366 262144 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 7.2023043408989902e-05 262144
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 6.9751003757119199e-05 262144
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 7.7270993962883961e-05 262416
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 7.7622989192605076e-05 262144
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 6.7287037149071777e-05 11796752
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 6.5303007140755673e-05 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00090013246517628442 77103104 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00090976448636502017 32768
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00010166846495121715 385384595
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0081573161361739033 484900864 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.014915108310990036 435011584 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0014868208048865201 434176
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00044890044908970587 6455296
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0026052844999358057 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 9.8212528042495242e-05 33040
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0086208047745749347 484900864 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.014344772922806441 435011584 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0015075560687109824 835584 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00041501246672123672 12877824 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.002209828483872116 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00011878852825611832 12615680
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0083610924361273639 484900864 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.013289989101700483 435011584 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0022079406855627899 401408
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0011367084858939054 32112640 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.16290374292712659 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0052416684208437805 2097152
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0010741030368953942 32768 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 0.0001273509953171015 32899
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.00010891900397837165 32768
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 9.9382976070046435e-05 33040
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.00010002301074564454 32768
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00010501504875719553 8487184
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.00010229499079287051 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0016035564420744778 174587904 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015199724910780789 1179648
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00010758851747959851 40894611
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 192 0.00041715647559612988 237109248 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0016593645093962552 152043520 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.0046528364298865201 144965632 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0032137004015967254 2082816
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0011161324558779599 15630336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0034744364349171522 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00010765247326344252 40894611
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 192 0.00041027649026364088 237109248 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0016423085210844877 152043520 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.0045529962657019493 144965632 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0027714925883337857 2985984
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00067946051340550182 30081024
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0039991085706278682 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00012557249050587413 47972959
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 192 0.00048794050794094806 237109248 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0016053163884207607 152043520 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0041248685000464325 144965632 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0028932844279333948 903168
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00091114054899662719 16056320
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.010794564696960151 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0061395245967432862 75497472 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0019394790921360254 1179648
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 6.9207007065415381e-05 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0022514791581779714 2082816 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00074114299751818174 15630336 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 6.8663010373711618e-05 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.001986742505803705 2985984 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.00048978302814066421 30081024 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.6263010278344159e-05 11797087
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0018912873361259701 3262464
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00074591096676886095 16809984
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0016125805554911493 174587904 brief
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015624045012518767 1179648
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00015856449585407976 98697363
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0032531562922522425 2082816
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0011184685109183194 15630336
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0038601323841139673 0
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00018067649286240343 98697363
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0031652203677222136 2985984
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0012996525345370176 30081024
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.015280164289288222 0
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00016714050155133009 105775711
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0029387246249243616 903168
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00091392450314015149 16056320
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.010993188518099486 0
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0062714605955407022 75497472
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0020535589549690483 1179648
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 7.2119006887078315e-05 1179779
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0023228712175041438 2082816
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00075205505825579164 15630336
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 8.703101612627508e-05 1179779
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0021383590791374443 2985984 brief
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.00087333501316607005 30081024 brief
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.8854992762207985e-05 11797087
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0019643750283867122 3262464
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00075359098054468641 16809984
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0014756525633856656 78118912 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0014968365011736751 1048576
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00017840443830937153 116654227
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0075656685708090669 1313865728 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.020240612613968548 1297350656 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0025838123438879845 1449984
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00065082051139324912 7471104
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0043430762765929104 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00018102850299328568 116654227
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.007447844373993576 1313865728 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.019833635914139447 1297350656 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0022732525942847134 1851392
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00051763649564236399 13893632
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0041471727071329956 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00017843650560826066 123994687
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0068626606343314056 1313865728 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.016653348552994426 1297350656 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0023199721453711387 401408
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00056134848576039082 9633792
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.011335972446016966 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0059012845931574708 67108864
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0018370150718837977 1048576 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 5.8070996776223164e-05 1048576
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 5.9863010421395313e-05 1048576
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 6.1718979850411429e-05 1048707
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 6.4374992623925198e-05 1048576
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 5.755899287760255e-05 17826064
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 5.442301370203496e-05 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00079091646056622265 38666240 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0008283884702250361 131072
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 5.6164490990340785e-05 192807059
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0053260525939986111 460128256 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.011998948919586838 434323456 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0013650923846289511 331776
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00028234051447361704 3342336
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0023414125321432949 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 7.5364517979323908e-05 131344
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0052429484603926536 460128256 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.011821028101257978 434323456 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0014145966647192837 532480 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00024704446177929636 6553600 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0021607084749266509 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00010042046289891002 50462720
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0051721644876524808 460128256 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.010703588115982711 434323456 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0016334124682471154 200704
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00064131646137684576 16056320
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.041505702125839893 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0030316524682566528 8388608
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0010016229543834926 131072 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 5.829502083361141e-05 131344
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 5.7719001546502104e-05 131072
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 5.5158982053399141e-05 131344
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 5.5894980207085608e-05 131072
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 5.7878980413079318e-05 8782096
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 5.6182989850640315e-05 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00089795647840946904 40632320
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00091283645015209907 2097152
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 9.2132496647536727e-05 50266259
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0034346603630110622 449576960 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.012407108175568282 442695680 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.002517891990952194 2297856
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00076842050533741722 5308416
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0021544045088812708 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 9.7444507293403151e-05 50266259
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0033596523283049469 449576960 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.010464196550659836 442695680 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0022145324824377885 2498560
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00040518847387284034 8519680
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0019435565201565627 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 9.2132496647536781e-05 53412127
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0030242605684325102 449576960 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0089119082568213329 442695680 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0018333488581702114 200704
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00032458047848194838 4014080
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.0027513644872233273 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0028126765666529538 134217728 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0011963429842144252 2097152 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 3.1831035390496273e-05 2097152
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 3.1831005588173879e-05 2097152
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 3.4326994791626898e-05 2097152
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 3.6215001717209801e-05 2097152
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 3.2406995072960792e-05 18874640
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 2.8759011998772642e-05 0
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0015422765193507076 77332480 brief
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0016029485343024138 262144
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00044662849884480235 462684307
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0016150127528235317 663552
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00045597248058766126 6684672
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0047014124570414423 0
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00053702850919216873 462684307
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.002148196327500046 1064960
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00094867645483464008 13107200
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.015984451579861343 0
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00042032449226826426 466616959
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0018501168368384247 401408
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00081693248730152837 19267584
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.045480420458130541 0
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0063537323949858547 16777216
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.001903382996097207 262144
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 8.1110993400216119e-05 262275
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0015458150003105405 663552
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00042434299923479557 6684672
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_all 192 0.00034328700043261055 77332480
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00014517498947679995 262275
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0024976549241691823 663552 brief
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.0012696870360523463 6684672 brief
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_all 192 0.0011934949550777675 77332480 brief
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.4983000531792623e-05 4194927
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0017289509866386648 401408
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00043768698908388615 6422528
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_all 192 0.00033141497708857062 77070336
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0019138604132458571 91422720 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0017297004638239745 4718592
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00010682048182934525 28704915
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 192 0.0004447724698111415 155713536 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.001560260402970016 185204736 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.0048190439818426968 180781056 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0033632041094824681 5170176
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0015536364791914822 11943936
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0036069165347144012 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00010682051163166761 28704915
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 192 0.00042336450796574349 155713536 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0015308845518156888 185204736 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.0052089322684332742 180781056 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0034905005572363739 5621760
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00092144446354359402 19169280
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0041047726301476359 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00010822855215519661 34996687
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 192 0.00041514049749821432 155713536 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0015314284441992642 185204736 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0041086765406653288 180781056 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0025684844134375448 451584
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00055037255864590409 8028160
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.0071561646042391661 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0059809643058106304 301989888 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0024815591070801021 4718592
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 7.8198993578553185e-05 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0021645026300102475 5170176
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00046975099481642244 11943936
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 7.899899221956731e-05 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0019407267663627869 5621760 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.00032162302173674109 19169280 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.4055015817284596e-05 25166287
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0019984231088310475 9888768
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00047643902339041227 16662528
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0019033644078299404 91422720 brief
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.002003108489327133 4718592
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00014499648194760088 57606291
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0034217325327917944 5170176
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0015540845869109038 11943936
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0042336684642359616 0
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00015510849934071306 57606291
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0035956846354529273 5621760
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0012219565389677885 19169280
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.015321700024418534 0
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00013600451033562427 63898063
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0025858918307349087 451584
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00055843650083988903 8028160
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.008414372700266539 0
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0062715563653036955 301989888 brief
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0026176230404525995 4718592
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 8.968699909746651e-05 4718723
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0022256870362907652 5170176 brief
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00048389498330652714 11943936 brief
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 9.3526983633637471e-05 4718723
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0018041191194206477 5621760 brief
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.0005151270125061272 19169280 brief
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.6358988657593715e-05 25166287
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0020725350473076104 9888768
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00048805500008165846 16662528
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0017004205165430904 308314112
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015075244484469294 32768
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 9.7924518398940534e-05 385384595
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0085048047779127962 484900864 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.014692517149262131 435011584 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.002321988212876022 1638400
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0012067245719954373 25722880
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0022740204809233544 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00010189245920628317 33040
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0082055401680991048 484900864 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.014803459751419723 435011584 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0021262766001746061 3244032 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0010925164995715024 51412992 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0024950764356181025 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00012038855534046875 12615952
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0082622767565771922 484900864 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.013658020841889083 435011584 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0031421490786597128 1605632
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0015986283896490933 32112640 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.16359412180166691 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0052159085450693967 2097152
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0017412390802055595 32768 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 9.9830994382500642e-05 32768
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 9.9671015515923482e-05 32768
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00010789499618113042 32899
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.00010834301449358468 32768
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00010450298525393002 8487184
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.00010251898504793647 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00048547651153057808 77078528
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00043939651828259224 8192
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 4.2404520325362687e-05 154149011
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0029825326083227997 131203072 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.0054580842135474091 111247360 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0013998447535559537 409600 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00038400446157902475 6430720
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.00065939648728817696 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 4.2948472313582914e-05 8464
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0029607723830267787 131203072 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.0053938609240576632 111247360 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0013790441630408164 811008 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00034022848587483172 12853248
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.00061174850445240743 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 6.0548531822860297e-05 3154192
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0029135404704138637 131203072 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0049511722205206748 111247360 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0021108842967078097 401408
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00062138055544346557 12845056 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.16473660625796765 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0053536686478182676 524288
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.00048015097714960579 8192 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 4.4534990563988633e-05 8192
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 4.2743006721138986e-05 8192
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 4.3414989486336706e-05 8464
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 4.2518982663750631e-05 8192
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 4.9175033345818561e-05 2122000
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 4.6711007133126244e-05 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0032049645660445097 693706752 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0029055725811049345 73728
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00023914055805653329 154288275
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 192 0.00062621246557682754 694296576 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0033665006039664148 150405120
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.0059472049353644259 127549440 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0036637803195044396 3686400
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0026527405856177212 57876480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.003794436383061111 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00024886845331639046 154288275
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 192 0.00064541246276348838 694296576 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0033492843983694912 150405120 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.0059331883070990457 127549440 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0025672680018469698 7299072
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0014447084544226528 115679232
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0039808365283533929 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00023418049793690447 156205735
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 192 0.0016137005565688017 694296576 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0033077165959402924 150405120
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0054191087363287807 127549440
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0046186286089941863 3612672
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0032335085151717069 64225280
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.15388143761735412 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.010188196617178619 4718592
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0037585512194782495 73728
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 9.9574992433190335e-05 73859
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0036786470506340275 3686400
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.0026333030555397274 57876480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00011013499833643438 73859
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0028419427964836361 7299072
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.0015898789856582879 115679232
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00010875902511179449 2212519
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0042714786622673265 3760128
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.0027033830974251033 57950208
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 forward cudnn_gemm 192 0.017421925294212996 18944 brief
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 forward cudnn_implicit 192 0.0022491245446726684 18944
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 forward cudnn_precomputed 192 0.0018623084304854275 462491152
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 forward gemm 192 0.004595172512345016 3706880
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 forward gemm_16 192 0.003470692473463714 59025920
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 forward implicit 192 0.0041245806692168123 0
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter cudnn_precomputed 192 0.0013615084765478971 468612752
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter gemm 192 0.0067488366244360803 3687936
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter gemm_16 192 0.0051636204598471533 84697088
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter implicit 192 0.64169214712362743 0
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter implicit_parts 192 0.020445539611391724 1204224
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 forward cudnn_implicit 192 0.0058557031545788049 50176
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 forward cudnn_precomputed 192 0.001298455009236932 50176
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 forward gemm_nhwc 192 0.0081484394166618599 9884672
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 forward gemm_nhwc_16 192 0.0073225509021431203 157402112
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 backward_filter cudnn_precomputed 192 0.00068997500278055661 6322320
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 backward_filter gemm_nhwc 192 0.008799415120854975 9934848
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 backward_filter gemm_nhwc_16 192 0.007293270776048303 157452288
row convert()x=192x3x224x224:bf16:nchw;y=192x3x224x224:bf16:nhwc8;dx=0;needs=0,0 forward native 192 0.00011295098997652531 0
row fc(out=1000,bias=1)x=192x2048x1x1:bf16:nchw;y=192x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 192 1.4724510721862338e-05 4096000
row fc(out=1000,bias=1)x=192x2048x1x1:bf16:nchw;y=192x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 192 0.00025002050679177044 0
row fc(out=1000,bias=1)x=192x2048x1x1:bf16:nchw;y=192x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 9.7005097195506222e-06 4096000
row fc(out=1000,bias=1)x=192x2048x1x1:bf16:nchw;y=192x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 192 9.5940503291785709e-05 0
row fc(out=1000,bias=1)x=192x2048x1x1:bf16:nchw;y=192x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 1.6132521443068975e-05 4000
row fc(out=1000,bias=1)x=192x2048x1x1:bf16:nchw;y=192x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 192 6.499649863690134e-05 4000 brief
row global_avgpool()x=192x2048x7x7:bf16:nchw;y=192x2048x1x1:bf16:nchw;dx=1;needs=0,0 forward native 192 1.4980482868850279e-05 0
row global_avgpool()x=192x2048x7x7:bf16:nchw;y=192x2048x1x1:bf16:nchw;dx=1;needs=0,0 backward_data native 192 5.4756495170295238e-05 0
row global_avgpool()x=192x2048x7x7:bf16:nhwc;y=192x2048x1x1:bf16:nchw;dx=1;needs=0,0 forward native 192 1.3015011325478551e-05 0
row global_avgpool()x=192x2048x7x7:bf16:nhwc;y=192x2048x1x1:bf16:nchw;dx=1;needs=0,0 backward_data native 192 5.4423013702034933e-05 0
row maxpool(kernel=3x3,stride=2x2,pad=1x1,ceil=0)x=192x64x112x112:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=8,0 forward native 192 0.0009466284988448023 0
row maxpool(kernel=3x3,stride=2x2,pad=1x1,ceil=0)x=192x64x112x112:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=8,0 backward_data native 192 0.0050478445170447231 0
row maxpool(kernel=3x3,stride=2x2,pad=1x1,ceil=0)x=192x64x112x112:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=8,0 forward native 192 0.00022687102295458318 0
row maxpool(kernel=3x3,stride=2x2,pad=1x1,ceil=0)x=192x64x112x112:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=8,0 backward_data native 192 0.0009105509910732508 0
row relu()x=192x1024x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 5.4660516791045628e-05 0
row relu()x=192x1024x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 5.3558984771370892e-05 0
row relu()x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 2.6468503288924694e-05 0
row relu()x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 2.671099640429024e-05 0
row relu()x=192x128x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 0.00010653250198811293 0
row relu()x=192x128x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 0.00010706300474703314 0
row relu()x=192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 2.7524518780410323e-05 0
row relu()x=192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=8,0;in_place forward native 192 1.6932505182921876e-05 0
row relu()x=192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 192 1.7348515801131737e-05 0
row relu()x=192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 2.667898871004584e-05 0
row relu()x=192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=8,0;in_place forward native 192 1.6823003068566361e-05 0
row relu()x=192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 192 1.7335006967186921e-05 0
row relu()x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 1.0724487714469457e-05 0
row relu()x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 1.0999003425240549e-05 0
row relu()x=192x256x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 5.366848688572646e-05 0
row relu()x=192x256x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 5.455098487436772e-05 0
row relu()x=192x256x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 0.0002119404850527644 0
row relu()x=192x256x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 0.00021298302151262759 0
row relu()x=192x512x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 2.7428495697677122e-05 0
row relu()x=192x512x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 2.6743004098534586e-05 0
row relu()x=192x512x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 0.00010675652604550123 0
row relu()x=192x512x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 0.00010683901049196718 0
row relu()x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 5.7005016133189101e-06 0
row relu()x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 5.750993266701702e-06 0
row relu()x=192x64x112x112:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=1;needs=8,0;in_place forward native 192 0.00016080449800938366 0
row relu()x=192x64x112x112:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 192 0.00015683649759739635 0
row relu()x=192x64x112x112:bf16:nhwc;y=192x64x112x112:bf16:nhwc;dx=1;needs=8,0;in_place forward native 192 0.00015989501215517521 0
row relu()x=192x64x112x112:bf16:nhwc;y=192x64x112x112:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 192 0.00015586302615702149 0
row relu()x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 5.3636508993804508e-05 0
row relu()x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 5.3527006879448885e-05 0
row softmax_loss()x=192x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 forward native 192 6.7244945093989144e-06 4608
row softmax_loss()x=192x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 backward_data native 192 1.1564968153834347e-06 0
end 764
